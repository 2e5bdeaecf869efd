package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.DeliveryResult;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client could not deliver before its end reaches a sidecar through a folder, once. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SpillTest {
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final Labels ROUTE = Labels.of("route", "/pay, or not");

  @TempDir Path temporary = Path.of("set by JUnit");
  private Path folder = Path.of("set before each test");
  private Path socket = Path.of("set before each test");
  private final Histogram truth = new Histogram(1, HIGHEST, 3);
  private long sum;

  @BeforeEach
  void placeFolder() {
    folder = temporary.resolve("spill");
    socket = temporary.resolve("hdr.sock");
  }

  private Sidecar sidecar(String... more) throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--ingest-port", "0");
    flags.put("--http-port", "0");
    flags.put("--ingest-unix-socket", socket.toString());
    flags.put("--spill-folder", folder.toString());
    flags.put("--spill-scan-interval", "100ms");
    for (String flag : more) {
      flags.put(flag.substring(0, flag.indexOf('=')), flag.substring(flag.indexOf('=') + 1));
    }
    return Sidecar.start(ConfigLoader.load(flags, Map.of(), null));
  }

  private Sidecar journaled() throws Exception {
    return sidecar("--journal-directory=" + temporary.resolve("journal"), "--journal-flush=5ms");
  }

  private ClientConfig.Builder config() {
    return ClientConfig.builder()
        .address("unix://" + socket)
        .interval(Duration.ofMillis(50))
        .commonLabels(Labels.of("pod", "shop-1"))
        .spillFolder(folder)
        .shutdownHook(false);
  }

  /** Records into two series, and keeps the truth of the first beside. */
  private void record(HdrSidecarClient client, int values, long seed) {
    recordCheckout(client, values, seed);
    client.recorder("other").record(7);
  }

  private void recordCheckout(HdrSidecarClient client, int values, long seed) {
    LatencyRecorder recorder = client.recorder("checkout", ROUTE);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < values; i++) {
      long value = random.nextLong(1L << (1 + random.nextInt(40)));
      recorder.record(value);
      truth.recordValue(value);
      sum += value;
    }
  }

  /** What a client leaves that never meets a sidecar. */
  private DeliveryResult spill(int values, long seed) {
    HdrSidecarClient client = HdrSidecarClient.create(config().build());
    record(client, values, seed);
    return client.close(Duration.ofMillis(100));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.equals("spill.lock"))
          .sorted()
          .toList();
    }
  }

  private void awaitEmptyFolder() throws Exception {
    while (!files().isEmpty()) { // until the class's time-out
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static void awaitMetrics(Sidecar sidecar, String line) throws Exception {
    while (!get(sidecar, "/metrics").contains(line)) {
      TimeUnit.MILLISECONDS.sleep(10); // until the class's time-out
    }
  }

  private static String get(Sidecar sidecar, String path) throws Exception {
    URI uri = sidecar.httpAddress().resolve(path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private void assertExact(Sidecar sidecar) throws Exception {
    String selector = "checkout{route=\"/pay, or not\",pod=\"shop-1\"}";
    String path =
        "/api/v1/histogram?window=total&buckets=true&series="
            + URLEncoder.encode(selector, StandardCharsets.UTF_8);
    JsonObject total = new JsonObject(get(sidecar, path)).getJsonObject("data");
    assertThat(total.getLong("count")).isEqualTo(truth.getTotalCount());
    assertThat(total.getLong("sum")).isEqualTo(sum);
    assertThat(buckets(total.getJsonArray("buckets"))).isEqualTo(buckets(truth));
    assertThat(truth.lowestEquivalentValue(total.getLong("min"))).isEqualTo(truth.getMinValue());
    assertThat(truth.highestEquivalentValue(total.getLong("max"))).isEqualTo(truth.getMaxValue());
  }

  private static List<String> buckets(JsonArray listed) {
    List<String> buckets = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      JsonObject bucket = listed.getJsonObject(i);
      buckets.add(bucket.getLong("highest") + ":" + bucket.getLong("count"));
    }
    return buckets;
  }

  private static List<String> buckets(Histogram histogram) {
    List<String> buckets = new ArrayList<>();
    histogram
        .recordedValues()
        .forEach(
            value ->
                buckets.add(
                    histogram.highestEquivalentValue(value.getValueIteratedTo())
                        + ":"
                        + value.getCountAtValueIteratedTo()));
    return buckets;
  }

  @Test
  void close_withoutSidecar_writesALogThatHdrHistogramReads() throws Exception {
    DeliveryResult result = spill(10_000, 1);

    assertThat(result.deliveredAll()).isFalse();
    assertThat(result.spilledIntervals()).isEqualTo(2);
    assertThat(result.spilledValues()).isEqualTo(10_001);
    Path file = Objects.requireNonNull(result.spillFile());
    assertThat(files()).containsExactly(String.valueOf(file.getFileName()));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    assertThat(Files.readAllLines(file).stream().filter(line -> line.startsWith("#")))
        .allMatch(line -> line.length() < 128);
    Histogram read = new Histogram(1, HIGHEST, 3);
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      EncodableHistogram interval = reader.nextIntervalHistogram();
      while (interval != null) { // Behind the last interval there is a comment.
        if (interval.getTag().startsWith("checkout{")) {
          read.add((Histogram) interval);
        }
        interval = reader.nextIntervalHistogram();
      }
    }
    assertThat(buckets(read)).isEqualTo(buckets(truth));
  }

  @Test
  void start_withFilesOfTwoClients_countsBothOnceAndDeletesThem() throws Exception {
    spill(5_000, 2);
    spill(5_000, 3);
    assertThat(files()).hasSize(2);

    try (Sidecar sidecar = sidecar()) {
      awaitEmptyFolder();

      assertExact(sidecar);
      assertThat(get(sidecar, "/metrics"))
          .contains("hdr_sidecar_spill_files_total{result=\"merged\"} 2.0\n")
          .contains("hdr_sidecar_spill_intervals_total{result=\"merged\"} 4.0\n")
          .contains("hdr_sidecar_spill_intervals_total{result=\"duplicate\"} 0.0\n");
    }
  }

  @Test
  void kill_afterMergeAndBeforeDelete_countsOnceAfterTheJournalsReplay() throws Exception {
    Path file = Objects.requireNonNull(spill(5_000, 4).spillFile());
    byte[] contents = Files.readAllBytes(file);
    try (Sidecar sidecar = journaled()) {
      awaitEmptyFolder();
      assertExact(sidecar);
    }
    Files.write(file, contents); // As if the process had ended just before it deleted the file.

    try (Sidecar sidecar = journaled()) {
      awaitEmptyFolder();

      assertExact(sidecar);
      assertThat(get(sidecar, "/metrics"))
          .contains("hdr_sidecar_spill_intervals_total{result=\"duplicate\"} 2.0\n");
    }
  }

  @Test
  void laterClient_connected_deliversWhatAnEarlierOneLeft() throws Exception {
    spill(5_000, 5);
    try (Sidecar sidecar = sidecar("--spill-folder=")) {
      try (HdrSidecarClient later = HdrSidecarClient.create(config().build())) {
        record(later, 3_000, 6);
        awaitEmptyFolder();
        while (later.health().recoveredValues() != 5_001) { // until the class's time-out
          TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(later.close(Duration.ofSeconds(20)).deliveredAll()).isTrue();
        assertThat(later.health().recoveredIntervals()).isEqualTo(2);
      }
      assertExact(sidecar);
    }
  }

  @Test
  void start_tornFile_countsWhatCanBeReadAndKeepsTheRest() throws Exception {
    Path file = Objects.requireNonNull(spill(5_000, 7).spillFile());
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    int other = lines.size() - 2; // the line of the second series, before the end
    assertThat(lines.get(other)).startsWith("Tag=other");
    Files.writeString(file, String.join("\n", lines.subList(0, other)) + "\nTag=oth");

    try (Sidecar sidecar = sidecar()) {
      awaitMetrics(sidecar, "hdr_sidecar_spill_files_total{result=\"damaged\"} 1.0\n");
      assertThat(files()).containsExactly(file.getFileName() + ".bad"); // counted after its name
      assertExact(sidecar);
      assertThat(get(sidecar, "/metrics"))
          .contains("hdr_sidecar_spill_intervals_total{result=\"merged\"} 1.0\n")
          .doesNotContain("other_seconds");
    }
  }

  @Test
  void start_seriesOfAnotherUnit_isRefusedAndCountedAndTheRestIsMerged() throws Exception {
    HdrSidecarClient client = HdrSidecarClient.create(config().build());
    client.recorder("other", Labels.empty(), RecorderConfig.of(Unit.BYTES)).record(9);
    recordCheckout(client, 1_000, 9);
    client.close(Duration.ofMillis(100));
    Files.move(folder, temporary.resolve("later"));
    spill(1_000, 10); // has a series "other" in nanoseconds

    try (Sidecar sidecar = sidecar()) {
      awaitEmptyFolder();
      try (Stream<Path> files = Files.list(temporary.resolve("later"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".hlog")).toList()) {
          Files.move(file, folder.resolve(file.getFileName()));
        }
      }
      awaitMetrics(sidecar, "hdr_sidecar_spill_files_total{result=\"merged\"} 2.0\n");

      assertExact(sidecar);
      assertThat(get(sidecar, "/metrics"))
          .contains("hdr_sidecar_spill_intervals_total{result=\"refused\"} 1.0\n")
          .contains("hdr_sidecar_lost_values_total{reason=\"unknown_series\"} 1.0\n")
          .containsPattern("hdr_sidecar_rejected_total\\{reason=\"series_conflict\"} 1");
    }
  }

  @Test
  void start_foreignFiles_areLeftAlone() throws Exception {
    Files.createDirectories(folder);
    List<String> foreign =
        List.of(
            "notes.txt", "spill-1.hlog", "spill-20260101T000000Z-" + "0".repeat(32) + ".hlog.bad");
    for (String name : foreign) {
      Files.writeString(folder.resolve(name), "not ours");
    }
    spill(100, 8);

    try (Sidecar sidecar = sidecar()) {
      while (files().size() != foreign.size()) { // until the class's time-out
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertExact(sidecar);
      assertThat(files()).containsExactlyInAnyOrderElementsOf(foreign);
    }
  }
}
