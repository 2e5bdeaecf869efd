package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
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
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final Path PACKAGE = Path.of("../client-lib/node").toAbsolutePath().normalize();
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path PROJECT = TARGET.resolve("node-project");
  private static final Path JAR =
      Path.of(System.getProperty("hdr-sidecar.jar", "../sidecar/target/hdr-sidecar.jar"));
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^<!-- runnable: (\\S+) -->\\n\\n```js\\n(.*?)^```$");

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path folder = Path.of("set by JUnit");

  private final ReservedPort reserved = new ReservedPort();
  private final List<Long> given = new ArrayList<>();
  private long seed = 22;

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

  @AfterEach
  void freePort() throws IOException {
    reserved.close();
  }

  private SidecarProcess sidecar(String... options) throws InterruptedException {
    return processes.sidecar(reserved.number(), options);
  }

  private JavaProcess client(String... variables) throws InterruptedException {
    Map<String, String> environment = new HashMap<>();
    environment.put("HDR_SIDECAR_ADDRESS", "tcp://127.0.0.1:" + reserved.number());
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    List<String> command = List.of("node", PROJECT.resolve("main.mjs").toString());
    JavaProcess client = processes.start(command, environment);
    client.awaitLine(Pattern.compile("^ready$"));
    return client;
  }

  /** Numbers of values differ, so that each answer is to its own command. */
  private List<Long> record(JavaProcess client, String series, int count) throws Exception {
    SplittableRandom random = new SplittableRandom(seed++);
    List<Long> values =
        LongStream.generate(() -> random.nextLong(1L << random.nextInt(1, 42)))
            .limit(count)
            .boxed()
            .toList();
    Path file = folder.resolve("values-" + seed);
    Files.write(file, values.stream().map(value -> series + " " + value).toList());
    client.tell("record " + file);
    client.awaitLine(Pattern.compile("^recorded " + count + "$"));
    return values;
  }

  private static void close(JavaProcess client) throws Exception {
    client.tell("close");
    client.awaitLine(Pattern.compile("^closed$"));
    assertThat(client.awaitExit()).as("%s", client).isZero();
  }

  private void assertHasExactlyTheGiven(SidecarProcess sidecar) throws Exception {
    Histogram truth = new Histogram(1, HIGHEST, 3);
    given.forEach(truth::recordValue);
    JsonObject total = sidecar.total("calls{route=\"/pay\"}", "&buckets=true");
    assertThat(BucketTexts.of(total)).isEqualTo(BucketTexts.of(truth));
    assertThat(total.getLong("count")).isEqualTo(given.size());
    assertThat(new BigInteger(total.getValue("sum").toString()))
        .isEqualTo(
            given.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add));
    assertThat(total.getLong("min")).isEqualTo(Collections.min(given));
    assertThat(total.getLong("max")).isEqualTo(Collections.max(given));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void sidecarKilledAndStartedAgain_everyValueOfAllThreadsIsCountedOnce(int threads)
      throws Exception {
    String journal = "--journal-directory=" + folder.resolve("journal");
    JavaProcess client = client("THREADS", Integer.toString(threads));
    given.addAll(record(client, "calls", 10_001)); // before there is one

    SidecarProcess first = sidecar(journal);
    client.tell("await 10001");
    client.awaitLine(Pattern.compile("^acknowledged$"));
    given.addAll(record(client, "calls", 10_002)); // maybe on their way when it is killed
    first.kill();
    given.addAll(record(client, "calls", 10_003)); // while it is away
    SidecarProcess second = sidecar(journal);
    given.addAll(record(client, "calls", 10_004));
    close(client);

    assertHasExactlyTheGiven(second);
    assertThat(second.metrics())
        .contains("hdr_sidecar_lost_values_total{reason=\"count_mismatch\"} 0.0\n");
  }

  @Test
  void clientKilledAndStartedAgain_nothingIsCountedTwice() throws Exception {
    SidecarProcess sidecar = sidecar();
    JavaProcess first = client();
    given.addAll(record(first, "calls", 10_001));
    first.tell("await 10001");
    first.awaitLine(Pattern.compile("^acknowledged$"));
    int unknown = record(first, "last", 1_000).size();
    first.kill();
    JavaProcess second = client();
    given.addAll(record(second, "calls", 10_002));
    close(second);

    assertHasExactlyTheGiven(sidecar);
    long last = sidecar.totalIfAny("last", "").map(total -> total.getLong("count")).orElse(0L);
    assertThat(last).isBetween(0L, (long) unknown);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void closeWithoutASidecar_leavesAFileOfEachThreadThatIsCountedOnce(int threads) throws Exception {
    Path spill = folder.resolve("spill");
    JavaProcess client =
        client(
            "THREADS",
            Integer.toString(threads),
            "HDR_SIDECAR_SPILL_FOLDER",
            spill.toString(),
            "CLOSE_TIMEOUT_MILLIS",
            "0",
            "HDR_SIDECAR_LABELS",
            "pod=shop-1 ü");
    given.addAll(record(client, "calls", 10_001));
    close(client);

    SidecarProcess sidecar =
        sidecar(
            "--spill-folder=" + spill,
            "--spill-scan-interval=100ms",
            "--journal-directory=" + folder.resolve("journal"));
    String merged = "hdr_sidecar_spill_files_total{result=\"merged\"} %d.0\n";
    Eventually.holds(() -> assertThat(sidecar.metrics()).contains(merged.formatted(threads + 1)));
    assertHasExactlyTheGiven(sidecar);
    assertThat(sidecar.total("calls{pod=\"shop-1 ü\"}", "").getLong("count"))
        .isEqualTo(given.size());
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
  }

  @Test
  void tests_ofItsOwn_pass() throws Exception {
    String report =
        Tool.run(
            List.of(
                "env",
                "HDR_SIDECAR_JAR=" + JAR.toAbsolutePath(),
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
