package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.RecoveryReport;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start with damaged files, intervals and checkpoints: it counts nothing twice, and what it does
 * not count it says.
 */
final class JournalFuzzIT {
  private static final Path LOGS_OF_OTHERS =
      Path.of("../client-lib/format/src/test/resources/hlog");
  private static final int SERIES = 4;

  /** So that there are records which no checkpoint has. */
  private static final int ROUNDS_AFTER_CHECKPOINT = 50;

  private static final long HIGHEST = Duration.ofHours(1).toNanos();

  /** Kept when it fails: what was written depends on time, so the seed alone does not repeat it. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder = Path.of("set by JUnit");

  private final Mutator mutator = new Mutator();
  private final Map<String, Histogram> truth = new HashMap<>();
  private final Map<Path, byte[]> whole = new TreeMap<>();
  private final List<byte[]> logsOfOthers = new ArrayList<>();
  private LogCapture log = new LogCapture();

  /** What a real sidecar writes: three files of intervals at least, and checkpoints. */
  @BeforeEach
  void writeJournal() throws Exception {
    Path journal = folder.resolve("journal");
    try (Sidecar sidecar =
            Sidecar.start(
                SmallSidecar.config(
                    "--journal-directory", journal.toString(),
                    "--journal-flush", "5ms",
                    "--journal-rotate-size", "64KiB"));
        HdrSidecarClient client =
            HdrSidecarClient.create(
                ClientConfig.builder()
                    .address(sidecar.ingestAddress())
                    .interval(Duration.ofMillis(10))
                    .build())) {
      SplittableRandom random = new SplittableRandom(5);
      for (int after = 0; after < ROUNDS_AFTER_CHECKPOINT; ) {
        record(client, random);
        Thread.sleep(1); // leaves the processor to the sidecar
        boolean enough =
            files(journal, "intervals-").stream().filter(JournalFuzzIT::isIntervals).count() >= 3
                && !files(journal, "checkpoint-").isEmpty();
        after += enough ? 1 : 0;
      }
      assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
    }
    for (Path file : files(journal, "")) {
      whole.put(file.getFileName(), Files.readAllBytes(file));
    }
    for (Path file : files(LOGS_OF_OTHERS, "")) {
      logsOfOthers.add(Files.readAllBytes(file));
    }
  }

  private void record(HdrSidecarClient client, SplittableRandom random) {
    for (int i = 0; i < 100; i++) {
      String name = "journaled_" + i % SERIES;
      long value = random.nextLong(1L << random.nextInt(1, 41));
      client.recorder(name, Labels.of("route", "/pay, ü;{}")).record(value);
      truth.computeIfAbsent(name, n -> new Histogram(1, HIGHEST, 3)).recordValue(value);
    }
  }

  private static List<Path> files(Path directory, String prefix) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> f.getFileName().toString().startsWith(prefix)).sorted().toList();
    }
  }

  @AfterEach
  void restoreLog() {
    log.close();
  }

  @Test
  void open_damagedFiles_countsNothingTwiceAndNothingIsLostInSilence() throws Exception {
    assertThat(open(whole, List.of("undamaged")).isAll).as("undamaged, all is counted").isTrue();
    Fuzz.run("journal", Fuzz.configuredSeconds("journal") / 2, this::feed);
  }

  private void feed(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    Map<Path, byte[]> files = new TreeMap<>(whole);
    List<String> done = new ArrayList<>();
    boolean tailChanged = false;
    for (int left = random.nextInt(1, 3); left > 0; left--) {
      Path name = new ArrayList<>(files.keySet()).get(random.nextInt(files.size()));
      // Of what was cut off at the very end nobody can know; all else leaves a gap.
      tailChanged |= name.equals(lastIntervals(whole));
      done.add(damage(files, name, random));
    }
    Opened opened = open(files, done);
    assertThat(opened.isAll || opened.saysSo || tailChanged)
        .as("all is counted, or the report says that it is not: %s", done)
        .isTrue();
    tally.add(opened.isAll);
  }

  /**
   * What a start gave.
   *
   * @param isAll whether all that was recorded is counted
   * @param saysSo whether the report speaks of something lost
   */
  private record Opened(boolean isAll, boolean saysSo) {}

  private Opened open(Map<Path, byte[]> files, List<String> done) throws IOException {
    Path journal = Files.createDirectory(folder.resolve("damaged"));
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      Files.write(journal.resolve(file.getKey()), file.getValue());
    }
    SeriesStore store = new SeriesStore(SmallSidecar.config().merge());
    Opened result;
    try (Journal opened = Journal.open(JournalConfig.in(journal), store, Clock.systemUTC())) {
      RecoveryReport report = opened.status().recovery();
      result =
          new Opened(
              countsNoMoreThanRecorded(store, done),
              report.damaged() + report.missing() + report.tornBytes() > 0);
    }
    assertThat(log.errors()).isEmpty();
    delete(journal);
    return result;
  }

  private static Path lastIntervals(Map<Path, byte[]> files) {
    return files.keySet().stream()
        .filter(JournalFuzzIT::isIntervals)
        .max(Comparator.comparingLong(JournalFuzzIT::firstRecord))
        .orElse(Path.of("none"));
  }

  /** Beside a file of intervals there may be an index of it. */
  private static boolean isIntervals(Path name) {
    String text = name.getFileName().toString();
    return text.startsWith("intervals-") && text.endsWith(".hlog");
  }

  private static long firstRecord(Path name) {
    String text = name.toString();
    return Long.parseLong(text.substring(text.lastIndexOf('-') + 1, text.lastIndexOf('.')));
  }

  private String damage(Map<Path, byte[]> files, Path name, SplittableRandom random) {
    byte[] bytes = files.getOrDefault(name, new byte[0]);
    int kind = random.nextInt(8);
    switch (kind) {
      case 0 -> files.put(name, new byte[0]);
      case 1 -> files.put(name, garbage(random));
      case 2 -> files.put(name, logsOfOthers.get(random.nextInt(logsOfOthers.size())));
      case 3 -> files.put(name, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      case 4 -> {
        // As if it had been written twice: its records are known by then.
        if (isIntervals(name)) {
          files.put(Path.of(name.toString().replaceFirst("-(\\d+)\\.hlog", "-9$1.hlog")), bytes);
        }
      }
      default -> files.put(name, mutator.damaged(bytes, random));
    }
    return kind + " " + name;
  }

  private static byte[] garbage(SplittableRandom random) {
    byte[] garbage = new byte[random.nextInt(100_000)];
    random.nextBytes(garbage);
    return garbage;
  }

  /** Whether all is there; fails when a bucket has more than was recorded. */
  private boolean countsNoMoreThanRecorded(SeriesStore store, List<String> done) {
    long count = 0;
    for (Series series : store.series()) {
      Histogram recorded = truth.get(series.key().name());
      if (recorded == null) {
        throw new AssertionError(done + ": nobody recorded " + series.key());
      }
      Distribution total = new Distribution();
      series.readTotal(total);
      for (int i = 0; i < total.size(); i++) {
        assertThat(total.countAt(i))
            .as("%s: %s at %d", done, series.key(), total.lowestAt(i))
            .isLessThanOrEqualTo(recorded.getCountAtValue(total.lowestAt(i)));
      }
      count += total.count();
    }
    return count == truth.values().stream().mapToLong(Histogram::getTotalCount).sum();
  }

  private static void delete(Path directory) throws IOException {
    for (Path file : files(directory, "")) {
      Files.delete(file);
    }
    Files.delete(directory);
  }
}
