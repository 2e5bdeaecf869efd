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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Go client in a process of its own and a real sidecar: what the program recorded is counted
 * bucket for bucket, whoever of the two is killed.
 */
@RequiresPrograms({"go", "gofmt"})
final class GoClientIT {
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final Path MODULE = Path.of("../client-lib/go").toAbsolutePath().normalize();
  private static final Path PROGRAM = Path.of("target/go-client").toAbsolutePath();
  private static final Path PAGE = Path.of("../docs/go.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("^```go\\n(package main\\n.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path folder = Path.of("set by JUnit");

  private final ReservedPort reserved = new ReservedPort();
  private final List<Long> given = new ArrayList<>();
  private long seed = 22;

  GoClientIT() throws IOException {}

  @BeforeAll
  static void build() throws Exception {
    Tool.bring(
        List.of("go", "build", "-o", PROGRAM.toString(), "."),
        Path.of("src/test/go/client").toAbsolutePath());
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
    JavaProcess client = processes.start(List.of(PROGRAM.toString()), environment);
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

  @Test
  void sidecarKilledAndStartedAgain_everyValueIsCountedOnce() throws Exception {
    String journal = "--journal-directory=" + folder.resolve("journal");
    JavaProcess client = client();
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
    Optional<JsonObject> last = sidecar.totalIfAny("last", "");
    assertThat(last.map(total -> total.getLong("count")).orElse(0L)).isBetween(0L, (long) unknown);
  }

  @Test
  void closeWithoutASidecar_leavesAFileThatIsCountedOnce() throws Exception {
    Path spill = folder.resolve("spill");
    JavaProcess client =
        client(
            "HDR_SIDECAR_SPILL_FOLDER",
            spill.toString(),
            "CLOSE_TIMEOUT",
            "0s",
            "HDR_SIDECAR_LABELS",
            "pod=shop-1 ü");
    given.addAll(record(client, "calls", 10_001));
    close(client);

    SidecarProcess sidecar =
        sidecar(
            "--spill-folder=" + spill,
            "--spill-scan-interval=100ms",
            "--journal-directory=" + folder.resolve("journal"));
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .contains("hdr_sidecar_spill_files_total{result=\"merged\"} 1.0\n"));
    assertHasExactlyTheGiven(sidecar);
    assertThat(sidecar.total("calls{pod=\"shop-1 ü\"}", "").getLong("count"))
        .isEqualTo(given.size());
  }

  @Test
  void exampleOfThePage_isBuiltAndItsValueArrives() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(PAGE));
    assertThat(example.find()).isTrue();
    Files.writeString(folder.resolve("main.go"), example.group(1));
    Files.writeString(
        folder.resolve("go.mod"),
        """
        module example

        go 1.23.0

        require hdrsidecar.io/go/hdrsidecar v0.0.0

        replace hdrsidecar.io/go/hdrsidecar => %s
        """
            .formatted(MODULE));
    Path program = folder.resolve("example");
    Tool.run(List.of("go", "build", "-o", program.toString(), "."), folder);
    SidecarProcess sidecar = sidecar();

    JavaProcess run =
        processes.start(
            List.of(program.toString()),
            Map.of("HDR_SIDECAR_ADDRESS", "tcp://127.0.0.1:" + reserved.number()));

    assertThat(run.awaitExit()).as("%s", run).isZero();
    assertThat(sidecar.total("checkout{route=\"/pay\"}", "").getLong("count")).isEqualTo(1);
  }

  /** What runs while goroutines record at the same time is watched by the race detector. */
  @Test
  void module_isFormattedAndPassesItsTests() throws Exception {
    Tool.bring(List.of("gcc", "--version"), MODULE); // The race detector needs it.
    Tool.bring(List.of("go", "mod", "download"), MODULE.resolve("compare"));

    assertThat(Tool.run(List.of("gofmt", "-l", "."), MODULE)).isEmpty();
    Tool.run(List.of("go", "vet", "./..."), MODULE);
    Tool.run(List.of("env", "CGO_ENABLED=1", "go", "test", "-race", "-short", "./..."), MODULE);
    Tool.run(List.of("go", "vet", "./..."), MODULE.resolve("compare"));
    Tool.run(List.of("go", "test", "./..."), MODULE.resolve("compare"));
  }
}
