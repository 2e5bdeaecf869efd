package io.hdrsidecar.tests.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the workflow of a release calls, in a copy that has been made 1.2.3. */
@RequiresPrograms({"git", "helm", "perl"})
final class ReleaseScriptsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String NOTES =
      """
      ### Part

      - [BUGFIX] `a` is no longer <b>,
        and it's "quoted" \\1 $x.
      """;
  private static final String CHANGELOG =
      """
      # Changelog

      ## 1.3.0 (unreleased)

      - [FEATURE] Later.

      ## 1.2.3 (2026-11-23)

      %s
      ## 1.2.2 (2026-01-01)

      - [FEATURE] Before.
      """
          .formatted(NOTES);

  private static final String PYTHON = "client-lib/python/pyproject.toml";
  private static final List<String> NODE =
      List.of("client-lib/node/package.json", "client-lib/node/package-lock.json");

  @TempDir private static Path copy = Path.of("");

  @BeforeAll
  static void copy() throws Exception {
    String files =
        "git ls-files -zco --exclude-standard .ci k8s dashboards pom.xml '*/pom.xml' "
            + String.join(" ", PYTHON, NODE.get(0), NODE.get(1));
    String into = " | xargs -0 cp -P --parents -t " + copy;
    Tool.run(List.of("bash", "-c", files + into), ROOT);
    run("git", "init", "--quiet");
    run(".ci/set-version", "1.2.3");
    Files.writeString(copy.resolve("CHANGELOG.md"), CHANGELOG);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    return Tool.run(List.of(command), copy);
  }

  @Test
  void releaseNotes_areTheSectionOfTheVersion() throws Exception {
    assertThat(run(".ci/release-notes", "1.2.3")).isEqualTo(NOTES);
  }

  @Test
  void releaseNotes_ofAVersionWithoutDate_areRefused() {
    assertThatThrownBy(() -> run(".ci/release-notes", "1.3.0"))
        .hasMessageContaining("no line '## 1.3.0 (2026-01-31)'");
  }

  @Test
  void version_ofTheTag_isTheOneOfPomsAndCharts() throws Exception {
    assertThat(run(".ci/version")).isEqualTo("1.2.3\n");
    assertThat(run(".ci/version", "v1.2.3")).isEqualTo("1.2.3\n");
    assertThat(copy.resolve(PYTHON)).content().contains("\nversion = \"1.2.3\"\n");
    for (String file : NODE) {
      String text = Files.readString(copy.resolve(file));
      assertThat(text).containsPattern("\"name\": \"hdr-sidecar\",\\s+\"version\": \"1.2.3\"");
      assertThat(text).doesNotContain("-SNAPSHOT");
    }
    assertThatThrownBy(() -> run(".ci/version", "v1.2.4"))
        .hasMessageContaining("the tag v1.2.4 is not v1.2.3");
  }

  @Test
  void version_ofTheTag_isNoSnapshot() throws Exception {
    run(".ci/set-version", "1.3.0-SNAPSHOT");
    try {
      assertThatThrownBy(() -> run(".ci/version", "v1.3.0-SNAPSHOT"))
          .hasMessageContaining("1.3.0-SNAPSHOT is no release");
      assertThat(copy.resolve(PYTHON)).content().contains("\nversion = \"1.3.0.dev0\"\n");
    } finally {
      run(".ci/set-version", "1.2.3");
    }
  }

  @Test
  void charts_packaged_haveTheImagesOfTheRegistry() throws Exception {
    Path folder = copy.resolve("target/charts");
    run(".ci/publish", "package", "registry.example/team", folder.toString());

    List<Path> charts;
    try (Stream<Path> files = Files.list(folder)) {
      charts = files.sorted().toList();
    }
    assertThat(charts)
        .extracting(file -> file.getFileName().toString())
        .containsExactly(
            "hdr-sidecar-1.2.3.tgz",
            "hdr-sidecar-fleet-1.2.3.tgz",
            "hdr-sidecar-inject-1.2.3.tgz",
            "hdr-sidecar-monitoring-1.2.3.tgz");
    String everything =
        run("helm", "template", "a", charts.get(0).toString(), "--set=example.enabled=true")
            + run("helm", "template", "b", charts.get(1).toString())
            + run("helm", "template", "c", charts.get(2).toString());
    assertThat(everything.lines().filter(line -> line.matches(".*\\bimage: .*")))
        .extracting(line -> line.replaceAll(".*image: |\"", ""))
        .contains(
            "registry.example/team/hdr-sidecar:1.2.3",
            "registry.example/team/hdr-sidecar-example:1.2.3",
            "registry.example/team/hdr-sidecar-fleet:1.2.3")
        .allMatch(image -> image.startsWith("registry.example/team/hdr-sidecar"));
  }
}
