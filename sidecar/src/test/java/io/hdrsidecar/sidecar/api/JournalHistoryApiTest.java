package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.JournalText;
import io.hdrsidecar.sidecar.support.JournalText.Found;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ranges of the past that the journal has, over HTTP, bucket by bucket against what HdrHistogram's
 * own reader finds in its files.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JournalHistoryApiTest {
  static final String HISTOGRAM = "/api/v1/histogram?buckets=true&series=";
  private static final double[][] RANGES = {
    {0.05, 60.05}, {-5.05, 100.05}, {10.05, 10.15}, {7.05, 31.25}, {59.85, 60.05}
  };

  /** Intervals of {@link #tenths} that make up some kilobytes of a file. */
  private static final int PART = 20;

  @TempDir Path folder = Path.of("set by JUnit");

  private UploadedSidecar start(Path journal, String... more) throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--journal-directory", journal.toString());
    flags.put("--journal-rotate-size", "64KiB");
    flags.put("--journal-flush", "5ms");
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    return new UploadedSidecar(flags);
  }

  static List<Interval> tenths(long seed, int from, int to) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Interval> intervals = new ArrayList<>();
    for (int i = from; i < to; i++) {
      long[] values = random.longs(200, 1_000, 1_000_000_000).toArray();
      intervals.add(new Interval(i / 10.0, (i + 1) / 10.0, values));
    }
    return intervals;
  }

  /**
   * In many requests: what the writer takes in one go comes into one file, however long, so a large
   * request on a slow machine would fill fewer files than the test needs.
   */
  private static void uploadInParts(UploadedSidecar to, String query, List<Interval> intervals)
      throws Exception {
    for (int from = 0; from < intervals.size(); from += PART) {
      to.upload(query, intervals.subList(from, Math.min(from + PART, intervals.size())));
    }
  }

  /** Each has one value, in a bucket of its own: so what is read twice shows. */
  private static List<Interval> numbered(int from, int to) {
    List<Interval> intervals = new ArrayList<>();
    for (int i = from; i < to; i++) {
      intervals.add(new Interval(i / 10.0, (i + 1) / 10.0, (1024L + i % 1024) << (i / 1024)));
    }
    return intervals;
  }

  static Map<String, Long> buckets(JsonObject data) {
    Map<String, Long> counts = new TreeMap<>();
    for (Object each : data.getJsonArray("buckets")) {
      JsonObject bucket = (JsonObject) each;
      counts.put(
          bucket.getLong("lowest") + ".." + bucket.getLong("highest"), bucket.getLong("count"));
    }
    return counts;
  }

  /** Asks for ranges and compares each with the files. */
  private static void assertIsInFiles(
      UploadedSidecar asked, UploadedSidecar times, Path journal, String selector, String tag)
      throws Exception {
    long[][] millis =
        Arrays.stream(RANGES)
            .map(range -> Arrays.stream(range).mapToLong(s -> times.origin + Math.round(s * 1000)))
            .map(LongStream::toArray)
            .toArray(long[][]::new);
    List<Found> inFiles = JournalText.read(journal, each -> each.startsWith(tag), millis);
    for (int i = 0; i < RANGES.length; i++) {
      double[] range = RANGES[i];
      Found found = inFiles.get(i);
      JsonObject data =
          asked.data(HISTOGRAM + encoded(selector) + times.between(range[0], range[1]));

      assertThat(found.lines()).as("the range has intervals").isPositive();
      assertThat(buckets(data)).as(range[0] + " to " + range[1]).isEqualTo(found.counts());
      assertThat(data.getLong("count")).isEqualTo(found.count());
      assertThat(data.getJsonObject("covered").getInteger("intervals")).isEqualTo(found.lines());
      assertThat(data.getJsonObject("covered").getDouble("resolutionSeconds")).isEqualTo(0.1);
    }
  }

  static void eventually(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }

  static void awaitIndexes(UploadedSidecar sidecar, UploadedSidecar times) throws Exception {
    eventually(
        () ->
            !sidecar
                .get(HISTOGRAM + "calls" + times.between(-5, 100))
                .body()
                .contains("have no index yet"));
  }

  @Test
  void histogram_withoutMemory_isWhatTheFilesHave() throws Exception {
    try (UploadedSidecar sidecar = start(folder, "--history-max-memory", "0B")) {
      uploadInParts(sidecar, "name=calls&unit=ns&label.host=a", tenths(1, 0, 600));
      uploadInParts(sidecar, "name=calls&unit=ns&label.host=b", tenths(2, 0, 600));
      sidecar.upload("name=others&unit=ns", tenths(3, 0, 100));

      assertThat(JournalText.files(folder)).hasSizeGreaterThan(5);
      assertIsInFiles(sidecar, sidecar, folder, "calls{host=\"a\"}", "calls{host=a}");
      assertIsInFiles(sidecar, sidecar, folder, "calls", "calls");
      JsonObject history = sidecar.data("/api/v1/status").getJsonObject("history");
      assertThat(history.getString("source")).isEqualTo("journal");
      assertThat(history.getString("start")).isEqualTo(sidecar.at(0));
      assertThat(history.getString("end")).isEqualTo(sidecar.at(60));
      assertThat(history.getBoolean("live")).isTrue();
    }
  }

  @Test
  void histogram_memoryHasAddedNeighbours_hasTheResolutionOfTheFilesAndEachIntervalOnce()
      throws Exception {
    try (UploadedSidecar sidecar = start(folder, "--history-max-memory", "1MiB")) {
      sidecar.upload("name=calls&unit=ns", tenths(4, 0, 5000));
      long from = sidecar.origin - 50;
      long to = sidecar.origin + 500_050;
      Found found = JournalText.read(folder, "calls"::equals, from, to);

      JsonObject data = sidecar.data(HISTOGRAM + "calls" + sidecar.between(-0.05, 500.05));
      JsonArray steps =
          sidecar
              .data("/api/v1/percentiles?series=calls&step=10s" + sidecar.between(0, 500))
              .getJsonArray("steps");

      assertThat(found.lines()).isEqualTo(5000);
      assertThat(buckets(data)).isEqualTo(found.counts());
      assertThat(data.getJsonObject("covered").getInteger("intervals")).isEqualTo(5000);
      assertThat(data.getJsonObject("covered").getDouble("resolutionSeconds")).isEqualTo(0.1);
      assertThat(data.getBoolean("sumIsExact")).isFalse();
      assertThat(steps).hasSize(50);
      for (Object step : steps) {
        assertThat(((JsonObject) step).getLong("count")).isEqualTo(100 * 200);
      }
      assertThat(sidecar.data("/api/v1/status").getJsonObject("history").getString("source"))
          .isEqualTo("memory+journal");
    }
  }

  @Test
  void histogram_journalHasMoreThanMayBeRead_isTheCoarserOneOfMemory() throws Exception {
    try (UploadedSidecar sidecar =
        start(folder, "--history-max-memory", "1MiB", "--query-max-intervals", "4500")) {
      sidecar.upload("name=calls&unit=ns", tenths(4, 0, 5000));

      JsonObject data = sidecar.data(HISTOGRAM + "calls" + sidecar.between(0, 500));

      assertThat(data.getLong("count")).isEqualTo(5000 * 200);
      assertThat(data.getJsonObject("covered").getInteger("intervals")).isLessThan(4500);
      assertThat(data.getJsonObject("covered").getDouble("resolutionSeconds")).isGreaterThan(0.15);
    }
  }

  @Test
  void start_indexesMissingDamagedAndStaleAndTornLog_answersAsBefore() throws Exception {
    UploadedSidecar before = start(folder, "--history-max-memory", "0B");
    try (before) {
      uploadInParts(before, "name=calls&unit=ns", tenths(5, 0, 1500));
    }
    List<Path> logs = JournalText.files(folder);
    assertThat(logs).hasSizeGreaterThan(5);
    assertThat(logs).allMatch(log -> Files.exists(JournalText.index(log)));
    Files.delete(JournalText.index(logs.get(0)));
    flip(JournalText.index(logs.get(1)));
    Files.write(JournalText.index(logs.get(2)), new byte[] {1, 2, 3});
    Files.copy(
        JournalText.index(logs.get(3)),
        JournalText.index(logs.get(4)),
        StandardCopyOption.REPLACE_EXISTING);
    Path last = logs.get(logs.size() - 1);
    Files.writeString(last, "#R 7fffff 1 0 0 1 2", StandardOpenOption.APPEND);

    try (UploadedSidecar again = start(folder, "--history-max-memory", "0B")) {
      awaitIndexes(again, before);

      assertIsInFiles(again, before, folder, "calls", "calls");
      again.upload("name=later&unit=ns", tenths(6, 0, 10));
      assertIsInFiles(again, before, folder, "calls", "calls");
    }
    assertThat(JournalText.files(folder)).allMatch(log -> Files.exists(JournalText.index(log)));
  }

  private static void flip(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 4;
    Files.write(file, bytes);
  }

  /** What kill -9 leaves: files as they are at some moment, and no index of the last. */
  @Test
  void start_afterKill_goesOnWhereItWas() throws Exception {
    Path copy = folder.resolve("copy");
    Path journal = folder.resolve("journal");
    try (UploadedSidecar killed = start(journal, "--history-max-memory", "1MiB")) {
      killed.upload("name=calls&unit=ns", tenths(7, 0, 400));
      JournalText.copy(journal, copy);
      try (UploadedSidecar again = start(copy, "--history-max-memory", "1MiB")) {
        awaitIndexes(again, killed);
        again.upload("name=calls&unit=ns", tenthsAt(killed, again, 400, 600));

        assertIsInFiles(again, killed, copy, "calls", "calls");
      }
    }
  }

  /** Intervals of the times of one sidecar, for the origin of another. */
  private static List<Interval> tenthsAt(
      UploadedSidecar times, UploadedSidecar to, int from, int end) {
    double shift = (times.origin - to.origin) / 1000.0;
    SplittableRandom random = new SplittableRandom(8);
    List<Interval> intervals = new ArrayList<>();
    for (int i = from; i < end; i++) {
      long[] values = random.longs(200, 1_000, 1_000_000_000).toArray();
      intervals.add(new Interval(i / 10.0 + shift, (i + 1) / 10.0 + shift, values));
    }
    return intervals;
  }

  @Test
  void histogram_twoLayouts_keepsEachInItsBuckets() throws Exception {
    try (UploadedSidecar sidecar = start(folder, "--history-max-memory", "1MiB")) {
      sidecar.upload("name=calls&unit=ns", tenths(9, 0, 2000));
      uploadTwoDigits(sidecar, tenths(10, 0, 2000));
      sidecar.upload("name=calls&unit=ns", tenths(11, 2000, 3000));

      assertIsInFiles(sidecar, sidecar, folder, "calls", "calls");
      JsonObject data = sidecar.data(HISTOGRAM + "calls" + sidecar.between(-0.05, 300.05));
      assertThat(buckets(data))
          .isEqualTo(
              JournalText.read(
                      folder, "calls"::equals, sidecar.origin - 50, sidecar.origin + 300_050)
                  .counts());
      assertThat(data.getJsonObject("covered").getInteger("intervals")).isEqualTo(5000);
    }
  }

  private static void uploadTwoDigits(UploadedSidecar sidecar, List<Interval> intervals)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter log = new HistogramLogWriter(bytes);
    log.outputLogFormatVersion();
    log.outputStartTime(sidecar.origin);
    log.outputBaseTime(sidecar.origin);
    log.setBaseTime(sidecar.origin);
    for (Interval interval : intervals) {
      Histogram histogram = new Histogram(20_000, 1L << 42, 2);
      interval.values().forEach(histogram::recordValue);
      long start = sidecar.origin + Math.round(interval.fromSecond() * 1000);
      histogram.setStartTimeStamp(start);
      histogram.setEndTimeStamp(start + 100);
      log.outputIntervalHistogram(histogram);
    }
    log.close();
    HttpResponse<String> answer =
        sidecar.post("/api/v1/intervals?name=calls&unit=ns", bytes.toByteArray());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void histogram_seriesHasEnded_isFoundInThePastAndAddedToWhatBeganAfterwards() throws Exception {
    try (UploadedSidecar sidecar =
        start(folder, "--history-max-memory", "1MiB", "--series-idle-expiry", "1s")) {
      sidecar.upload("name=calls&unit=ns&label.host=a", tenths(12, 0, 300));
      eventually(() -> sidecar.get("/api/v1/histogram?series=calls").statusCode() == 404);

      JsonObject ended = sidecar.data(HISTOGRAM + "calls" + sidecar.between(-0.05, 60.05));
      sidecar.upload("name=calls&unit=ns&label.host=a", tenths(13, 300, 600));
      JsonObject both = sidecar.data(HISTOGRAM + "calls" + sidecar.between(-0.05, 60.05));
      HttpResponse<String> earlier =
          sidecar.get(HISTOGRAM + encoded("calls{host=\"b\"}") + sidecar.between(-0.05, 60.05));

      long from = sidecar.origin - 50;
      assertThat(ended.getJsonArray("series")).isEqualTo(new JsonArray().add("calls{host=\"a\"}"));
      assertThat(buckets(ended))
          .isEqualTo(JournalText.read(folder, t -> true, from, sidecar.origin + 29_950).counts());
      assertThat(buckets(both))
          .isEqualTo(JournalText.read(folder, t -> true, from, sidecar.origin + 60_050).counts());
      assertThat(both.getLong("count")).isEqualTo(600 * 200);
      assertThat(earlier.statusCode()).as("no such labels, now or then").isEqualTo(404);
    }
  }

  @Test
  void histogram_recordsInTwoFiles_countOnce() throws Exception {
    UploadedSidecar before = start(folder, "--history-max-memory", "0B");
    JsonObject once;
    try (before) {
      uploadInParts(before, "name=calls&unit=ns", tenths(14, 0, 600));
      once = before.data(HISTOGRAM + "calls" + before.between(-0.05, 60.05));
    }
    List<Path> logs = JournalText.files(folder);
    Path second = logs.get(1);
    long first =
        Long.parseLong(String.valueOf(second.getFileName()).replaceAll(".*-(\\d+)\\.hlog", "$1"));
    Files.copy(second, folder.resolve("intervals-20260101T000000Z-" + (first + 1) + ".hlog"));

    try (UploadedSidecar again = start(folder, "--history-max-memory", "0B")) {
      awaitIndexes(again, before);

      JsonObject twice = again.data(HISTOGRAM + "calls" + before.between(-0.05, 60.05));
      assertThat(JournalText.read(folder, t -> true, 0, Long.MAX_VALUE).lines())
          .as("the files have more")
          .isGreaterThan(600);
      assertThat(buckets(twice)).isEqualTo(buckets(once));
      assertThat(twice.getJsonObject("covered").getInteger("intervals")).isEqualTo(600);
    }
  }

  @Test
  void histogram_whileFilesAreWrittenAndDeleted_isAnsweredAndNeverHasMoreThanWasSent()
      throws Exception {
    try (UploadedSidecar sidecar =
        start(folder, "--history-max-memory", "0B", "--journal-retain-size", "256KiB")) {
      sidecar.upload("name=calls&unit=ns", numbered(0, 10));
      Path oldest = JournalText.files(folder).get(0);
      AtomicInteger begun = new AtomicInteger(10);
      FutureTask<Integer> writing =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < 40 || Files.exists(oldest); i++) {
                  int from = begun.getAndAdd(30);
                  sidecar.upload("name=calls&unit=ns", numbered(from, from + 30));
                }
                return begun.get();
              });
      new Thread(writing, "writing").start();
      int answers = 0;
      while (!writing.isDone()) {
        JsonObject envelope = sidecar.envelope(HISTOGRAM + "calls" + sidecar.between(-1, 10_000));
        int mostSent = begun.get();
        JsonObject data = envelope.getJsonObject("data");
        Map<String, Long> found = buckets(data);
        int covered = data.getJsonObject("covered").getInteger("intervals");
        assertThat(found.values()).as("no interval twice").allMatch(count -> count == 1);
        assertThat(covered).isBetween(found.size(), mostSent);
        if (found.size() < covered) {
          assertThat(envelope.getJsonArray("warnings").encode()).contains("could not be read");
        }
        answers++;
      }
      assertThat(writing.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(1210);
      assertThat(answers).isPositive();
      assertThat(Files.exists(oldest)).as("retention has begun").isFalse();
      assertThat(Files.exists(JournalText.index(oldest))).isFalse();
    }
  }
}
