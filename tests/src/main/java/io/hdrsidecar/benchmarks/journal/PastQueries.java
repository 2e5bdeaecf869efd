package io.hdrsidecar.benchmarks.journal;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.HistogramAnswers;
import io.hdrsidecar.sidecar.answer.PercentilesAnswers;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.index.IndexFile;
import io.hdrsidecar.sidecar.index.IndexInMemory;
import io.hdrsidecar.sidecar.index.JournalIndexer;
import io.hdrsidecar.sidecar.journal.Journal;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalTail;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Fills a journal with intervals of one second and measures how long queries about one series take
 * that read nothing but the journal, and what its index is in bytes and in time.
 *
 * <p>Claims: an hour takes less than 150 ms warm, 24 hours less than 1.5 s. Arguments: folder
 * (default: the temporary one), series (100), seconds (86,400), values in an interval (150),
 * repetitions (15).
 */
public final class PastQueries {
  private static final int HOUR = 3600;

  private final Path directory;
  private final int series;
  private final int seconds;
  private final int values;
  private final int repetitions;

  private PastQueries(Path directory, int series, int seconds, int values, int repetitions) {
    this.directory = directory;
    this.series = series;
    this.seconds = seconds;
    this.values = values;
    this.repetitions = repetitions;
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
    Path directory = Files.createTempDirectory(folder, "past-queries");
    try {
      new PastQueries(
              directory,
              JournalCost.number(args, 1, 100),
              JournalCost.number(args, 2, 24 * HOUR),
              JournalCost.number(args, 3, 150),
              JournalCost.number(args, 4, 15))
          .run();
    } finally {
      JournalCost.delete(directory);
    }
  }

  private void run() throws Exception {
    long begin = System.currentTimeMillis() / 1000 * 1000 - seconds * 1000L;
    SteppingClock clock = new SteppingClock(begin);
    fill(clock);
    indexes();
    SeriesStore store =
        new SeriesStore(MergeConfig.defaults(), clock, () -> clock.millis() * 1_000_000);
    long start = System.nanoTime();
    try (Journal journal = Journal.open(config(), store, clock, true, JournalTail.NONE);
        MergeLoad load = new MergeLoad(store, series, 1)) {
      System.out.printf(Locale.ROOT, "replayed in %.1f s%n", (System.nanoTime() - start) / 1e9);
      journal.start(load, () -> {});
      awaitIndexes(store.past().source());
      System.out.printf(
          Locale.ROOT, "indexes opened after %.1f s%n", (System.nanoTime() - start) / 1e9);
      SplittableRandom random = new SplittableRandom(seconds);
      ask(store, clock, begin, random, Math.min(HOUR, seconds));
      if (seconds > HOUR) {
        ask(store, clock, begin, random, seconds);
      }
      JournalRecovery.close(journal, load);
    }
  }

  private JournalConfig config() {
    JournalConfig usual = JournalConfig.in(directory);
    return new JournalConfig(
        directory,
        usual.flush(),
        usual.fsync(),
        usual.rotateBytes(),
        usual.rotateAge(),
        1L << 40,
        Duration.ofDays(30),
        usual.degrade(),
        usual.maxQueuedBytes(),
        usual.maxInstances(),
        usual.instanceMemory());
  }

  private void fill(SteppingClock clock) throws Exception {
    SeriesStore store =
        new SeriesStore(MergeConfig.defaults(), clock, () -> clock.millis() * 1_000_000);
    Journal journal = Journal.open(config(), store, clock, true, JournalTail.NONE);
    long start = System.nanoTime();
    try (MergeLoad load = new MergeLoad(store, series, values)) {
      store.log().start(load, () -> {});
      for (int i = 0; i < seconds; i++) {
        clock.step(1000);
        load.encodeFrames(clock.millis());
        load.mergeAll();
      }
      load.awaitDurable();
      JournalRecovery.close(journal, load);
    }
    System.out.printf(
        Locale.ROOT,
        "%d series, %d s, %d values: %d intervals written in %.1f s%n",
        series,
        seconds,
        values,
        (long) series * seconds,
        (System.nanoTime() - start) / 1e9);
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(each -> String.valueOf(each.getFileName()).startsWith("intervals-"))
          .filter(each -> each.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }

  private void indexes() throws IOException {
    long logBytes = 0;
    long indexBytes = 0;
    for (Path log : files(".hlog")) {
      logBytes += Files.size(log);
      indexBytes += Files.size(IndexFile.beside(log));
    }
    double intervals = (double) series * seconds;
    System.out.printf(
        Locale.ROOT,
        "%d files of %.1f GB, %.0f B an interval; indexes %.1f MB, %.1f B an interval%n",
        files(".hlog").size(),
        logBytes / 1e9,
        logBytes / intervals,
        indexBytes / 1e6,
        indexBytes / intervals);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<Path> some = files(".hlog").subList(0, Math.min(5, files(".hlog").size()));
    for (Path log : some) {
      long busy = threads.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      IndexInMemory made = JournalIndexer.of(log);
      IndexFile.write(made, log);
      System.out.printf(
          Locale.ROOT,
          "made again from %.0f MB: %.0f ms, %.0f ns on a processor for an interval%n",
          Files.size(log) / 1e6,
          (System.nanoTime() - start) / 1e6,
          (double) (threads.getCurrentThreadCpuTime() - busy) / made.lines());
    }
  }

  /** Waits until all files have indexes, so that none is read whole. */
  static void awaitIndexes(PastSource past) {
    boolean complete = false;
    while (!complete) {
      LockSupport.parkNanos(1_000_000);
      try (PastReading reading = past.open(0, Long.MAX_VALUE)) {
        complete = reading.warnings().isEmpty();
      }
    }
  }

  private void ask(
      SeriesStore store, SteppingClock clock, long begin, SplittableRandom random, int length)
      throws Exception {
    QueryScope scope = new QueryScope(store, 1000, QueryLimits.defaults());
    HistogramAnswers histograms = new HistogramAnswers(scope);
    PercentilesAnswers percentiles = new PercentilesAnswers(scope);
    // Here, as reading the document is no part of a query.
    Map<String, String> ofHistogram = DocumentedDefaults.of("/api/v1/histogram");
    Map<String, String> ofPercentiles = DocumentedDefaults.of("/api/v1/percentiles");
    ofPercentiles.put("step", "1m");
    measure(
        "histogram of " + length + " s",
        length,
        () -> histograms.answer(query(ofHistogram, begin, random, length), false, clock.instant()));
    measure(
        "percentiles of " + length + " s by the minute",
        length,
        () -> percentiles.answer(query(ofPercentiles, begin, random, length), clock.instant()));
  }

  private Parameters query(
      Map<String, String> others, long begin, SplittableRandom random, int length) {
    long start = begin + random.nextInt(seconds - length + 1) * 1000L;
    Map<String, String> parameters = new TreeMap<>(others);
    parameters.putAll(
        Map.of(
            "series", "load{series=\"s" + random.nextInt(series) + "\"}",
            "start", Instant.ofEpochMilli(start).toString(),
            "end", Instant.ofEpochMilli(start + length * 1000L).toString()));
    return new Parameters(parameters.entrySet());
  }

  private void measure(String what, int length, Callable<Answer> question) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<Double> millis = new ArrayList<>();
    List<Double> busyMillis = new ArrayList<>();
    double first = 0;
    for (int i = 0; i < repetitions; i++) {
      long busy = threads.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      Answer answer = question.call();
      double took = (System.nanoTime() - start) / 1e6;
      JsonObject covered =
          new JsonObject(answer.body()).getJsonObject("data").getJsonObject("covered");
      if (covered.getInteger("intervals") != length) {
        throw new IllegalStateException("intervals missing: " + covered);
      }
      if (i == 0) {
        first = took;
      } else {
        millis.add(took);
        busyMillis.add((threads.getCurrentThreadCpuTime() - busy) / 1e6);
      }
    }
    millis.sort(null);
    busyMillis.sort(null);
    System.out.printf(
        Locale.ROOT,
        "%s: first %.0f ms; then median %.1f ms, least %.1f, most %.1f; median on a processor %.1f"
            + " ms%n",
        what,
        first,
        millis.get(millis.size() / 2),
        millis.get(0),
        millis.get(millis.size() - 1),
        busyMillis.get(busyMillis.size() / 2));
  }
}
