package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each variable of the client stands wherever its settings are listed, and nothing else does. */
class SettingTablesTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..");

  /** What stands in Java's listings and has no variable. */
  private static final List<String> WITHOUT_VARIABLE =
      List.of("CLOSE_TIMEOUT", "STALL_TIMEOUT", "MAX_SERIES", "ACTIVE_LONG_TASK_TIMERS");

  private static List<String> found(String file, String from, String to, String pattern)
      throws IOException {
    String text = Files.readString(ROOT.resolve(file));
    int start = text.indexOf(from);
    int end = text.indexOf(to, start);
    assertThat(start).as(from).isNotNegative();
    assertThat(end).as(to).isGreaterThan(start);
    return Pattern.compile(pattern)
        .matcher(text.substring(start, end))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static String upper(String text) {
    return text.replaceAll("([A-Z])", "_$1").replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static List<String> withoutLabels() {
    return Stream.concat(
            EnvironmentSettings.NAMES.stream().filter(name -> !name.equals("LABELS")),
            Stream.concat(Stream.of("COMMON_LABELS"), WITHOUT_VARIABLE.stream()))
        .toList();
  }

  @Test
  void readme_hasEachVariable() throws IOException {
    assertThat(
            found(
                "client-lib/README.md",
                "\n## Configuration\n",
                "\n\nA variable that is wrong",
                "`HDR_SIDECAR_([A-Z_]+)`"))
        .containsExactlyInAnyOrderElementsOf(EnvironmentSettings.NAMES);
  }

  @Test
  void javadocOfTheEnvironment_hasEachVariable() throws IOException {
    assertThat(
            found(
                "client-lib/client/src/main/java/io/hdrsidecar/client/ClientConfig.java",
                "Settings from environment variables, all optional.",
                "</ul>",
                "HDR_SIDECAR_([A-Z_]+)"))
        .containsExactlyInAnyOrderElementsOf(EnvironmentSettings.NAMES);
  }

  @Test
  void agent_takesEachAsAnArgument() throws IOException {
    assertThat(
            found(
                    "client-lib/agent/src/main/java/io/hdrsidecar/agent/AgentArguments.java",
                    "List<String> NAMES =",
                    ";",
                    "\"([a-z_]+)\"")
                .stream()
                .map(SettingTablesTest::upper))
        .containsExactlyInAnyOrderElementsOf(EnvironmentSettings.NAMES);
  }

  @Test
  void springsProperties_areTheSame_butForTheLabels() throws IOException {
    assertThat(
            found(
                    "client-lib/spring-boot/src/main/java/io/hdrsidecar/internal/spring/"
                        + "HdrSidecarProperties.java",
                    "public record HdrSidecarProperties(",
                    ") {",
                    "(?m) ([a-zA-Z]+)(?:,|\\z)")
                .stream()
                .map(SettingTablesTest::upper))
        .containsExactlyInAnyOrderElementsOf(withoutLabels());
    assertThat(
            found(
                    "docs/spring-boot.md",
                    "\n## Properties\n",
                    "\n## Switched",
                    "[|] `hdr-sidecar[.]([a-z-]+)`")
                .stream()
                .map(SettingTablesTest::upper))
        .containsExactlyInAnyOrderElementsOf(withoutLabels());
  }
}
