package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the runnable jar says of itself, to people and to their shells. */
@RequiresPrograms({"bash", "git", "groff"})
final class CommandLineIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern VERSION =
      Pattern.compile("hdr-sidecar \\S+ \\(commit (\\p{XDigit}{12,40}) of (\\S+)\\)");

  @TempDir private Path folder = Path.of("");

  @Test
  void version_namesACommitAndItsDate() throws Exception {
    String said = java("--version").strip();

    assertThat(java("version").strip()).isEqualTo(said);
    if (!Files.exists(ROOT.resolve(".git"))) {
      assertThat(said).as("built outside of Git").matches("hdr-sidecar \\S+");
      return;
    }
    Matcher version = VERSION.matcher(said);
    assertThat(version.matches()).as(said).isTrue();
    String date =
        Tool.run(
            List.of(
                "env",
                "TZ=UTC",
                "git",
                "log",
                "-1",
                "--format=%cd",
                "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
                version.group(1)),
            ROOT);
    assertThat(version.group(2)).isEqualTo(date.strip());
  }

  @Test
  void completion_completesCommandsAndFlags() throws Exception {
    assertThat(completed("s")).contains("serve");
    assertThat(completed("serve", "--ingest-p")).contains("--ingest-port");
    assertThat(completed("log", "u")).contains("union");
  }

  @Test
  void manPages_areWithoutAMistake_andHaveEveryFlag() throws Exception {
    Path pages = folder.resolve("man1");
    java("generate-man-pages", pages.toString());

    try (Stream<Path> files = Files.list(pages)) {
      for (Path page : files.toList()) {
        assertThat(groff("-z", "-ww", page.toString())).as("warnings of %s", page).isEmpty();
      }
    }
    assertThat(groff("-Tascii", "-P-cbou", pages.resolve("hdr-sidecar-serve.1").toString()))
        .contains("--ingest-port=<port>", "default: 9924")
        .contains("key: ingest.port, environment: HDR_SIDECAR_INGEST_PORT");
  }

  /** What it prints, its warnings among it. */
  private static String groff(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "exec groff -man \"$@\" 2>&1", "groff"));
    command.addAll(List.of(arguments));
    return Tool.run(command, Path.of("."));
  }

  /** What Bash offers for these words after {@code hdr-sidecar}, the last of them unfinished. */
  private List<String> completed(String... words) throws Exception {
    Path script = folder.resolve("completion");
    Files.writeString(script, java("generate-completion"));
    String bash =
        ". '%s'; COMP_WORDS=(hdr-sidecar %s); COMP_CWORD=%d; COMP_LINE=\"${COMP_WORDS[*]}\"; "
            + "_complete_hdr-sidecar; printf '%%s\\n' \"${COMPREPLY[@]}\"";
    String offered =
        Tool.run(
            List.of("bash", "-c", bash.formatted(script, String.join(" ", words), words.length)),
            Path.of("."));
    return offered.lines().map(String::strip).toList();
  }

  private static String java(String... arguments) throws Exception {
    return Tool.run(SidecarJar.command(arguments), Path.of("."));
  }
}
