package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarJar;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.ToldClients;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Node client, as its own community would check it: ESLint, prettier, tsc and its own tests
 * with real sidecars; and its package, installed into an empty project, in processes and worker
 * threads that are killed.
 */
@RequiresPrograms({"node", "npm", "openssl"})
final class NodeClientIT {
  private static final Path PACKAGE = Path.of("../client-lib/node").toAbsolutePath().normalize();
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path PROJECT = TARGET.resolve("node-project");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^<!-- runnable: (\\S+) -->\\n\\n```js\\n(.*?)^```$");

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path folder = Path.of("set by JUnit");

  @RegisterExtension
  final ToldClients clients =
      new ToldClients(processes, List.of("node", PROJECT.resolve("main.mjs").toString()));

  NodeClientIT() throws IOException {}

  /** Its project is empty but for the file that would be published. */
  @BeforeAll
  static void install() throws Exception {
    Tool.bring(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), PACKAGE);
    Files.createDirectories(PROJECT);
    String packed = Tool.run(List.of("npm", "pack", "--pack-destination=" + TARGET), PACKAGE);
    Files.writeString(PROJECT.resolve("package.json"), "{}");
    Path file = TARGET.resolve(packed.strip());
    Tool.run(List.of("npm", "install", "--no-audit", "--no-fund", file.toString()), PROJECT);
    Path program = Path.of("src/test/js/client/main.mjs");
    Files.copy(program, PROJECT.resolve("main.mjs"), StandardCopyOption.REPLACE_EXISTING);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void sidecarKilledAndStartedAgain_everyValueOfAllThreadsIsCountedOnce(int threads)
      throws Exception {
    String journal = "--journal-directory=" + folder.resolve("journal");
    JavaProcess client = clients.start("THREADS", Integer.toString(threads));
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
    long last = sidecar.totalIfAny("last", "").map(total -> total.getLong("count")).orElse(0L);
    assertThat(last).isBetween(0L, (long) unknown);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void closeWithoutASidecar_leavesAFileOfEachThreadThatIsCountedOnce(int threads) throws Exception {
    Path spill = folder.resolve("spill");
    JavaProcess client =
        clients.start(
            "THREADS",
            Integer.toString(threads),
            "HDR_SIDECAR_SPILL_FOLDER",
            spill.toString(),
            "CLOSE_TIMEOUT_MILLIS",
            "0",
            "HDR_SIDECAR_LABELS",
            "pod=shop-1 ü");
    clients.record(client, 10_001);
    clients.close(client);

    SidecarProcess sidecar =
        clients.sidecar(
            "--spill-folder=" + spill,
            "--spill-scan-interval=100ms",
            "--journal-directory=" + folder.resolve("journal"));
    String merged = "hdr_sidecar_spill_files_total{result=\"merged\"} %d.0\n";
    Eventually.holds(() -> assertThat(sidecar.metrics()).contains(merged.formatted(threads + 1)));
    clients.assertExact(sidecar);
    assertThat(sidecar.total("calls{pod=\"shop-1 ü\"}", "").getLong("count")).isEqualTo(10_001);
  }

  @Test
  void examplesOfReadme_inAnEmptyProject_doWhatTheySay() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Map<String, String> printed = new HashMap<>();
    Matcher example = EXAMPLE.matcher(Files.readString(PACKAGE.resolve("README.md")));
    while (example.find()) {
      Files.writeString(PROJECT.resolve(example.group(1)), example.group(2));
      String address = "HDR_SIDECAR_ADDRESS=" + sidecar.ingestAddress();
      List<String> command = List.of("env", address, "node", example.group(1));
      printed.put(example.group(1), Tool.run(command, PROJECT));
    }

    assertThat(printed)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("program.mjs", "paid\npaid 7 again\n", "program.cjs", "paid\n", "load.mjs", ""));
    assertThat(sidecar.metrics()).contains("checkout_seconds_count{route=\"/pay\"} 4\n");
    assertThat(sidecar.total("pay{kind=\"response\"}", "").getLong("count")).isEqualTo(100);
    assertThat(sidecar.total("upload", "").getLong("sum")).isEqualTo(4096);
  }

  @Test
  void installedPackage_hasWhatIsImportedAndNothingElse() throws Exception {
    Path installed = PROJECT.resolve("node_modules");
    try (Stream<Path> modules = Files.list(installed)) {
      assertThat(modules.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(".package-lock.json", "hdr-sidecar");
    }
    try (Stream<Path> files = Files.list(installed.resolve("hdr-sidecar"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "LICENSE",
              "README.md",
              "index.d.mts",
              "index.d.ts",
              "index.js",
              "index.mjs",
              "lib",
              "package.json");
    }
  }

  @Test
  void code_byLintersAndTheTypeCheck_isClean() throws Exception {
    Tool.run(List.of("npm", "run", "lint"), PACKAGE);
    Tool.run(List.of("npm", "run", "types"), PACKAGE);
    Tool.run(List.of("npm", "publish", "--dry-run", "--tag=next"), PACKAGE);
  }

  @Test
  void tests_ofItsOwn_pass() throws Exception {
    String report =
        Tool.run(
            List.of(
                "env",
                "HDR_SIDECAR_JAR=" + SidecarJar.path(),
                "JAVA_HOME=" + System.getProperty("java.home"),
                "npm",
                "test"),
            PACKAGE);

    List<String> figures =
        report.lines().filter(line -> line.matches("# (pass|fail|skipped) .*")).toList();
    System.out.println("tests of the Node client: " + String.join(" ", figures));
    assertThat(report).containsPattern("(?m)^# pass [1-9]").contains("\n# skipped 0\n");
  }
}
