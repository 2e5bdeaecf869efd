package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.ClientCommands;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.ToldClients;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Go client in a process of its own and a real sidecar: what the program recorded is counted
 * bucket for bucket, whoever of the two is killed.
 */
@RequiresPrograms({"go", "gofmt"})
final class GoClientIT {
  private static final Path MODULE = Path.of("../client-lib/go").toAbsolutePath().normalize();
  private static final String NAME = "hdrsidecar.io/go/hdrsidecar";
  private static final String VERSION = "v0.1.0";
  private static final Path PROGRAM = Path.of("src/test/go/client").toAbsolutePath();
  private static final Path SHOP = Path.of("../k8s/compose/languages").toAbsolutePath().normalize();
  private static final Path PAGE = Path.of("../docs/go.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("^```go\\n(package main\\n.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path folder = Path.of("set by JUnit");

  @RegisterExtension
  final ToldClients clients = new ToldClients(processes, ClientCommands.go("client"));

  GoClientIT() throws IOException, InterruptedException {}

  @Test
  void sidecarKilledAndStartedAgain_everyValueIsCountedOnce() throws Exception {
    String journal = "--journal-directory=" + folder.resolve("journal");
    JavaProcess client = clients.start();
    clients.record(client, 10_001); // before there is one

    SidecarProcess first = clients.sidecar(journal);
    clients.awaitAcknowledged(client, 10_001);
    clients.record(client, 10_002); // maybe on their way when it is killed
    first.kill();
    clients.record(client, 10_003); // while it is away
    SidecarProcess second = clients.sidecar(journal);
    clients.record(client, 10_004);
    clients.close(client);

    clients.assertExact(second);
    assertThat(second.metrics())
        .contains("hdr_sidecar_lost_values_total{reason=\"count_mismatch\"} 0.0\n");
  }

  @Test
  void clientKilledAndStartedAgain_nothingIsCountedTwice() throws Exception {
    SidecarProcess sidecar = clients.sidecar();
    JavaProcess first = clients.start();
    clients.record(first, 10_001);
    clients.awaitAcknowledged(first, 10_001);
    int unknown = clients.record(first, "last", 1_000).size();
    first.kill();
    JavaProcess second = clients.start();
    clients.record(second, 10_002);
    clients.close(second);

    clients.assertExact(sidecar);
    Optional<JsonObject> last = sidecar.totalIfAny("last", "");
    assertThat(last.map(total -> total.getLong("count")).orElse(0L)).isBetween(0L, (long) unknown);
  }

  @Test
  void closeWithoutASidecar_leavesAFileThatIsCountedOnce() throws Exception {
    Path spill = folder.resolve("spill");
    JavaProcess client =
        clients.start(
            "HDR_SIDECAR_SPILL_FOLDER",
            spill.toString(),
            "CLOSE_TIMEOUT",
            "0s",
            "HDR_SIDECAR_LABELS",
            "pod=shop-1 ü");
    clients.record(client, 10_001);
    clients.close(client);

    SidecarProcess sidecar =
        clients.sidecar(
            "--spill-folder=" + spill,
            "--spill-scan-interval=100ms",
            "--journal-directory=" + folder.resolve("journal"));
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .contains("hdr_sidecar_spill_files_total{result=\"merged\"} 1.0\n"));
    clients.assertExact(sidecar);
    assertThat(sidecar.total("calls{pod=\"shop-1 ü\"}", "").getLong("count")).isEqualTo(10_001);
  }

  /** In a project that has nothing, with the module as its tag would bring it. */
  @Test
  void exampleOfThePage_withThePublishedModule_isBuiltAndItsValueArrives() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(PAGE));
    assertThat(example.find()).isTrue();
    Path project = Files.createDirectory(folder.resolve("project"));
    Files.writeString(project.resolve("main.go"), example.group(1));
    publish(folder.resolve("proxy"));
    inProject(project, "go", "mod", "init", "example");
    inProject(project, "go", "get", NAME + "@" + VERSION);
    inProject(project, "go", "build", "-o", "example", ".");
    SidecarProcess sidecar = clients.sidecar();

    JavaProcess run =
        processes.start(
            List.of(project.resolve("example").toString()),
            Map.of("HDR_SIDECAR_ADDRESS", clients.address()));

    assertThat(run.awaitExit()).as("%s", run).isZero();
    assertThat(sidecar.total("checkout{route=\"/pay\"}", "").getLong("count")).isEqualTo(1);
  }

  private void inProject(Path project, String... command) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("env", "GOPROXY=" + folder.resolve("proxy").toUri()));
    all.addAll(List.of("GONOSUMDB=*", "GOFLAGS=-modcacherw"));
    all.add("GOMODCACHE=" + folder.resolve("modules")); // that of the machine keeps what it has
    all.addAll(List.of(command));
    Tool.run(all, project);
  }

  /**
   * What a proxy of modules makes of a tag: https://go.dev/ref/mod#goproxy-protocol. A folder with
   * a {@code go.mod} of its own is another module.
   */
  private static void publish(Path proxy) throws IOException {
    Path versions = Files.createDirectories(proxy.resolve(NAME).resolve("@v"));
    Files.writeString(versions.resolve("list"), VERSION + "\n");
    Files.writeString(versions.resolve(VERSION + ".info"), "{\"Version\":\"" + VERSION + "\"}");
    Files.copy(MODULE.resolve("go.mod"), versions.resolve(VERSION + ".mod"));
    try (Stream<Path> walk = Files.walk(MODULE);
        ZipOutputStream zip =
            new ZipOutputStream(Files.newOutputStream(versions.resolve(VERSION + ".zip")))) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        if (!file.startsWith(MODULE.resolve("compare"))) {
          zip.putNextEntry(new ZipEntry(NAME + "@" + VERSION + "/" + MODULE.relativize(file)));
          Files.copy(file, zip);
        }
      }
    }
  }

  /** What runs while goroutines record at the same time is watched by the race detector. */
  @Test
  void module_isFormattedAndPassesItsTests() throws Exception {
    Tool.bring(List.of("gcc", "--version"), MODULE); // The race detector needs it.
    Tool.bring(List.of("go", "mod", "download"), MODULE.resolve("compare"));

    for (Path folder : List.of(MODULE, PROGRAM, SHOP)) {
      assertThat(Tool.run(List.of("gofmt", "-l", "."), folder)).isEmpty();
      Tool.run(List.of("go", "vet", "./..."), folder);
    }
    Tool.run(List.of("go", "mod", "tidy", "-diff"), MODULE);
    Tool.run(List.of("env", "CGO_ENABLED=1", "go", "test", "-race", "-short", "./..."), MODULE);
    Tool.run(List.of("go", "vet", "./..."), MODULE.resolve("compare"));
    Tool.run(List.of("go", "test", "./..."), MODULE.resolve("compare"));
  }
}
