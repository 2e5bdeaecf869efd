package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ManPagesTest {
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--?[a-zA-Z][a-z-]*");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("");

  private int run(String... args) {
    CommandLine main = Main.commandLine(Map.of(), new Termination());
    main.setOut(new PrintWriter(out, true));
    main.setErr(new PrintWriter(err, true));
    return main.execute(args);
  }

  @Test
  void pages_ofEveryCommand_haveTheFlagsOfItsHelp() throws IOException {
    assertThat(run("generate-man-pages", folder.resolve("man1").toString())).isZero();

    List<Path> pages;
    try (Stream<Path> files = Files.list(folder.resolve("man1"))) {
      pages = files.toList();
    }
    assertThat(pages)
        .extracting(page -> page.getFileName().toString())
        .contains("hdr-sidecar.1", "hdr-sidecar-serve.1", "hdr-sidecar-log-union.1");
    for (Path page : pages) {
      String text = Files.readString(page).replace("\\-", "-");
      assertThat(flagsOf(page.getFileName().toString())).allMatch(text::contains, page.toString());
    }
    assertThat(flagsOf("hdr-sidecar-serve.1")).contains("--ingest-port");
  }

  private List<String> flagsOf(String page) {
    String words = page.replaceAll("hdr-sidecar-?|[.]1", "");
    String command = words.startsWith("log-") ? words.replace("log-", "log ") : words;
    out.getBuffer().setLength(0);
    run((command + " --help").strip().split(" "));
    return FLAG.matcher(out.toString()).results().map(MatchResult::group).toList();
  }

  @Test
  void folder_thatIsAFile_isNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(run("generate-man-pages", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("cannot write manual pages: exists already: " + file + "\n");
  }
}
