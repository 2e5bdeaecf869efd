package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.MuteProxy;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A service that ends without its sidecar leaves its last values in a folder: counted once. */
final class SpillIT {
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final Pattern RECORDED = Pattern.compile("recorded");

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path temporary = Path.of("set by JUnit");
  private Path folder = Path.of("set before each test");

  /** Where nobody listens, nor will. */
  private final ReservedPort nobody = new ReservedPort();

  SpillIT() throws IOException {}

  /** A service that records what its seed says, says so, and runs until it is told to end. */
  static final class Service {
    private Service() {}

    public static void main(String[] arguments) throws InterruptedException {
      HdrSidecarClient client = HdrSidecarClient.fromEnvironment();
      long seed = Long.parseLong(arguments[0]);
      LatencyRecorder recorder = client.recorder("calls", Labels.of("route", "/pay"));
      values(seed, Integer.parseInt(arguments[1])).forEach(recorder::record);
      System.out.println("recorded");
      new CountDownLatch(1).await();
    }
  }

  private static List<Long> values(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(random.nextLong(1L << (1 + random.nextInt(40))));
    }
    return values;
  }

  @BeforeEach
  void placeFolder() {
    folder = temporary.resolve("spill");
  }

  @AfterEach
  void freePort() throws IOException {
    nobody.close();
  }

  private SidecarProcess sidecar(String... more) throws InterruptedException {
    List<String> options = new ArrayList<>(List.of(more));
    options.add("--spill-folder=" + folder);
    options.add("--spill-scan-interval=100ms");
    return processes.sidecar(0, options.toArray(String[]::new));
  }

  private SidecarProcess journaled(String flush) throws InterruptedException {
    return sidecar(
        "--journal-directory=" + temporary.resolve("journal"), "--journal-flush=" + flush);
  }

  private JavaProcess service(String address, long seed, int count) throws InterruptedException {
    Map<String, String> variables = new HashMap<>();
    variables.put("HDR_SIDECAR_ADDRESS", address);
    variables.put("HDR_SIDECAR_INTERVAL", "50ms");
    variables.put("HDR_SIDECAR_LABELS", "pod=shop-1");
    variables.put("HDR_SIDECAR_SPILL_FOLDER", folder.toString());
    JavaProcess service =
        processes.start(Service.class, variables, Long.toString(seed), Integer.toString(count));
    service.awaitLine(RECORDED);
    return service;
  }

  /** A service that is told to end while there is no sidecar. */
  private void spill(long seed, int count) throws Exception {
    JavaProcess service = service("tcp://127.0.0.1:" + nobody.number(), seed, count);
    service.terminate();
    service.awaitExit();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".hlog")).sorted().toList();
    }
  }

  private void awaitEmptyFolder() throws Exception {
    Eventually.holds(() -> assertThat(files()).isEmpty());
  }

  private static JsonObject total(SidecarProcess sidecar) throws Exception {
    return sidecar.total("calls{pod=\"shop-1\",route=\"/pay\"}", "&buckets=true");
  }

  private static void assertExact(SidecarProcess sidecar, List<Long> recorded) throws Exception {
    Histogram truth = new Histogram(1, HIGHEST, 3);
    recorded.forEach(truth::recordValue);
    JsonObject total = total(sidecar);
    assertThat(total.getLong("count")).isEqualTo(recorded.size());
    assertThat(total.getLong("sum")).isEqualTo(recorded.stream().mapToLong(Long::longValue).sum());
    assertThat(total.getLong("min"))
        .isEqualTo(recorded.stream().mapToLong(Long::longValue).min().orElseThrow());
    assertThat(total.getLong("max"))
        .isEqualTo(recorded.stream().mapToLong(Long::longValue).max().orElseThrow());
    assertThat(BucketTexts.of(total)).isEqualTo(BucketTexts.of(truth));
  }

  @Test
  void terminate_serviceWithoutSidecar_valuesAreInTheNextSidecarOnce() throws Exception {
    spill(1, 20_000);
    assertThat(files()).hasSize(1);

    SidecarProcess sidecar = sidecar();
    awaitEmptyFolder();

    assertExact(sidecar, values(1, 20_000));
  }

  @Test
  void terminate_serviceThatWaitsForLostAnswers_countsNothingTwice() throws Exception {
    SidecarProcess sidecar = sidecar();
    int port = URI.create(sidecar.ingestAddress()).getPort();
    try (MuteProxy proxy = new MuteProxy(port)) {
      JavaProcess service = service(proxy.address(), 2, 20_000);
      Eventually.holds(
          () -> assertThat(sidecar.metrics()).containsPattern("calls_seconds_count\\{.*} 20000\n"));
      service.terminate();
      service.awaitExit();

      Eventually.holds(
          () ->
              assertThat(sidecar.metrics())
                  .contains("hdr_sidecar_spill_files_total{result=\"merged\"} 1.0\n"));
      awaitEmptyFolder();
    }

    assertExact(sidecar, values(2, 20_000));
    assertThat(sidecar.metrics())
        .containsPattern("hdr_sidecar_spill_intervals_total\\{result=\"duplicate\"} [1-9]")
        .contains("hdr_sidecar_spill_intervals_total{result=\"merged\"} 0.0\n");
  }

  @Test
  void kill_sidecarBetweenMergeAndDelete_countsOnce() throws Exception {
    spill(3, 20_000);
    SidecarProcess first = journaled("10s"); // merged at once, durable only much later
    Eventually.holds(() -> assertThat(total(first).getLong("count")).isEqualTo(20_000));
    assertThat(files()).hasSize(1);
    first.kill();

    SidecarProcess second = journaled("20ms");
    awaitEmptyFolder();

    assertExact(second, values(3, 20_000));
  }

  @Test
  void kill_sidecarBetweenJournalAndDelete_countsOnce() throws Exception {
    spill(4, 20_000);
    Path file = files().get(0);
    byte[] contents = Files.readAllBytes(file);
    SidecarProcess first = journaled("20ms");
    awaitEmptyFolder();
    first.kill();
    Files.write(file, contents); // As if it had been killed just before it deleted the file.

    SidecarProcess second = journaled("20ms");
    awaitEmptyFolder();

    assertExact(second, values(4, 20_000));
    assertThat(second.metrics())
        .contains("hdr_sidecar_spill_intervals_total{result=\"merged\"} 0.0\n");
  }

  @Test
  void twoSidecars_onOneFolder_shareTheFilesAndCountEachOnce() throws Exception {
    SidecarProcess one = sidecar();
    SidecarProcess other = sidecar();
    List<JavaProcess> services = new ArrayList<>();
    List<Long> recorded = new ArrayList<>();
    for (int seed = 10; seed < 16; seed++) {
      services.add(service("tcp://127.0.0.1:" + nobody.number(), seed, 1_000));
      recorded.addAll(values(seed, 1_000));
    }
    for (JavaProcess service : services) {
      service.terminate();
    }
    for (JavaProcess service : services) {
      service.awaitExit();
    }
    awaitEmptyFolder();

    long merged = 0;
    for (SidecarProcess sidecar : List.of(one, other)) {
      merged +=
          sidecar
              .metrics()
              .lines()
              .filter(line -> line.startsWith("calls_seconds_count{"))
              .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
    }
    assertThat(merged).isEqualTo(recorded.size());
  }
}
