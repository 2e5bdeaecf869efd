package io.hdrsidecar.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release would publish: its files, and projects that have nothing else of ours. */
@RequiresPrograms({"git", "gpg", "mvn", "perl"})
final class StagedReleaseIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path OUTSIDE = Path.of("src/test/outside").toAbsolutePath();
  private static final String VERSION = "1.2.3";

  private static final List<String> POMS = List.of("hdr-sidecar-parent", "hdr-sidecar-bom");
  private static final List<String> JARS =
      List.of(
          "hdr-sidecar-format",
          "hdr-sidecar-client",
          "hdr-sidecar-micrometer",
          "hdr-sidecar-spring-boot",
          "hdr-sidecar-spring-boot-3-starter",
          "hdr-sidecar-spring-boot-4-starter",
          "hdr-sidecar-agent",
          "hdr-sidecar",
          "hdr-sidecar-fleet");

  /** A service loads it to record. */
  private static final long CLIENT_BYTES = 200_000;

  @TempDir private static Path folder = Path.of("");

  @RegisterExtension final Processes processes = new Processes();

  @BeforeAll
  static void stage() throws Exception {
    Tool.run(List.of(".ci/release", "stage", staged().toString(), VERSION), ROOT);
  }

  private static Path staged() {
    return folder.resolve("staged");
  }

  private static Path artifacts() {
    return staged().resolve("io/hdrsidecar");
  }

  @Test
  void artifacts_areTheProductWithoutItsTests() throws IOException {
    try (Stream<Path> modules = Files.list(artifacts())) {
      assertThat(modules.map(module -> module.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(POMS.stream(), JARS.stream()).toList());
    }
    POMS.forEach(name -> assertThat(file(name, ".pom")).exists());
    for (String name : JARS) {
      assertThat(
              Stream.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json")
                  .map(kind -> file(name, kind)))
          .allSatisfy(file -> assertThat(file).isNotEmptyFile());
      assertThat(file(name, "-tests.jar")).doesNotExist();
    }
    assertThat(file("hdr-sidecar", "-all.jar")).as("the runnable one").exists();
  }

  @Test
  void client_isSmall() throws IOException {
    long bytes = Files.size(file("hdr-sidecar-client", ".jar"));
    assertThat(bytes).isLessThanOrEqualTo(CLIENT_BYTES);
  }

  @Test
  void javadoc_hasWhatIsPublic() throws IOException {
    try (JarFile pages = new JarFile(file("hdr-sidecar-client", "-javadoc.jar").toFile())) {
      assertThat(pages.stream().map(JarEntry::getName))
          .contains("io/hdrsidecar/client/HdrSidecarClient.html")
          .noneMatch(name -> name.startsWith("io/hdrsidecar/internal/"));
    }
  }

  private static Path file(String name, String kind) {
    return artifacts().resolve(name).resolve(VERSION).resolve(name + "-" + VERSION + kind);
  }

  @Test
  void files_areSigned_andHaveChecksums() throws Exception {
    Path keys = Files.createDirectory(folder.resolve("keys"));
    gpg(keys, "--import", staged().resolve("key.asc").toString());
    List<Path> files;
    try (Stream<Path> all = Files.walk(artifacts())) {
      files = all.filter(file -> file.toString().matches(".*[.](pom|jar|json)")).toList();
    }
    assertThat(files).hasSizeGreaterThan(POMS.size() + 4 * JARS.size());
    for (Path file : files) {
      gpg(keys, "--verify", file + ".asc", file.toString());
      String sum = Tool.run(List.of("sha1sum", file.toString()), folder);
      assertThat(sum).startsWith(Files.readString(Path.of(file + ".sha1")));
      assertThat(Path.of(file + ".md5")).exists();
    }
  }

  private static void gpg(Path keys, String... arguments) throws Exception {
    List<String> options = List.of("gpg", "--batch", "--homedir", keys.toString());
    Tool.run(Stream.concat(options.stream(), Stream.of(arguments)).toList(), folder);
  }

  @Test
  void poms_sayWhatCentralAsksFor() throws IOException {
    List<String> asked = List.of("<url>", "<licenses>", "<developers>", "<scm");
    for (String name : POMS) { // the others inherit from the first
      assertThat(Files.readString(file(name, ".pom"))).contains(asked);
    }
    for (String name : JARS) {
      assertThat(Files.readString(file(name, ".pom"))).contains("<name>", "<description>");
    }
    String bom = Files.readString(file("hdr-sidecar-bom", ".pom"));
    assertThat(bom).as("versions of others").doesNotContain("<parent>", "vertx");
    assertThat(JARS).allSatisfy(name -> assertThat(bom).contains("<artifactId>" + name + "<"));
  }

  /** Resolved from the staged folder; anything else from what this machine has downloaded. */
  @ParameterizedTest(name = "Spring Boot {0}")
  @CsvSource({"3.5.16, 3, spring-boot-starter-web", "4.1.2, 4, spring-boot-starter-webmvc"})
  void project_outside_withTheStarterAlone_isInTheSidecar(String version, int boot, String web)
      throws Exception {
    Path project = folder.resolve("boot-" + boot);
    Tool.run(List.of("cp", "-r", OUTSIDE.toString(), project.toString()), folder);
    String downloads =
        System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository");
    Tool.run(
        List.of(
            "mvn",
            "--batch-mode",
            "--offline",
            "--global-settings=settings.xml",
            "-Daether.offline.protocols=file",
            "-Dmaven.repo.local=" + folder.resolve("repository"),
            "-Ddownloaded.url=" + Path.of(downloads).toUri(),
            "-Dstaged.url=" + staged().toUri(),
            "-Dstaged.version=" + VERSION,
            "-Dspring-boot.version=" + version,
            "-Dstarter=hdr-sidecar-spring-boot-" + boot + "-starter",
            "-Dweb.starter=" + web,
            "package"),
        project);

    SidecarProcess sidecar = processes.sidecar();
    Path jar = project.resolve("target/outside.jar");
    Shop application =
        Shop.onBoot(processes, sidecar.ingestAddress(), jar, "-Dspring.main.banner-mode=off");
    assertThat(application.get("/hello").body()).isEqualTo("hello");

    Eventually.holds(
        () ->
            assertThat(sidecar.metrics().lines())
                .filteredOn(line -> line.startsWith("http_server_requests_window_seconds{"))
                .anyMatch(
                    line -> line.contains("uri=\"/hello\"") && line.contains("quantile=\"0.99\"")));
  }
}
