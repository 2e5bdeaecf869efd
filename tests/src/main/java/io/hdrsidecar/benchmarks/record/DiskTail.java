package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.record.SeriesRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * {@code DiskTail [SECONDS [FOLDER]]}: how long the slowest calls of {@code record} take, on the
 * heap and in a file in memory, while nobody writes to the disk and while it is saturated. Each for
 * so many seconds and in turns, three times; the folder is one on the disk.
 */
public final class DiskTail {
  private static final int ROUNDS = 3;
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(100);

  private final long nanos;
  private final Path folder;
  private final Map<Counters, Histogram> quiet = histograms();
  private final Map<Counters, Histogram> saturated = histograms();
  private double mebibytesOfASecond;

  private DiskTail(long seconds, Path folder) {
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    this.folder = folder;
  }

  private static Map<Counters, Histogram> histograms() {
    Map<Counters, Histogram> histograms = new EnumMap<>(Counters.class);
    for (Counters counters : Counters.values()) {
      histograms.put(counters, new Histogram(LONGEST_NANOS, 3));
    }
    return histograms;
  }

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    long seconds = args.length > 0 ? Long.parseLong(args[0]) : 10;
    DiskTail tail = new DiskTail(seconds, Path.of(args.length > 1 ? args[1] : "."));
    tail.measure();
    System.out.print(tail.table());
  }

  private void measure() throws IOException, InterruptedException {
    for (Counters counters : Counters.values()) {
      record(counters, new Histogram(LONGEST_NANOS, 3)); // so that all is compiled
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Counters counters : Counters.values()) {
        record(counters, Objects.requireNonNull(quiet.get(counters)));
      }
      try (DiskLoad load = DiskLoad.on(folder)) {
        for (Counters counters : Counters.values()) {
          record(counters, Objects.requireNonNull(saturated.get(counters)));
        }
        mebibytesOfASecond = load.mebibytesOfASecond();
      }
    }
  }

  /** Each call is timed; the clock takes more time than most of them. */
  private void record(Counters counters, Histogram calls) throws IOException {
    SeriesRecorder recorder = counters.recorder();
    long[] values = Latencies.logNormal(1 << 16, 4);
    try (BenchmarkSampler sampler = new BenchmarkSampler(recorder)) {
      long end = System.nanoTime() + nanos;
      long before = System.nanoTime();
      for (int i = 0; before - end < 0; i++) {
        recorder.record(values[i & (values.length - 1)]);
        long after = System.nanoTime();
        calls.recordValue(Math.min(after - before, LONGEST_NANOS));
        before = System.nanoTime();
      }
      System.out.printf("  %s: %s%n", counters, sampler);
    }
  }

  private String table() {
    StringBuilder table =
        new StringBuilder(
            """
            | counters | disk | calls | p50 | p99 | p99.99 | p99.999 |
            |---|---|---|---|---|---|---|
            """);
    for (Counters counters : Counters.values()) {
      append(table, counters, "quiet", Objects.requireNonNull(quiet.get(counters)));
      append(
          table,
          counters,
          String.format(Locale.ROOT, "saturated, %.0f MiB/s flushed", mebibytesOfASecond),
          Objects.requireNonNull(saturated.get(counters)));
    }
    return table.toString();
  }

  private static void append(StringBuilder table, Counters counters, String disk, Histogram calls) {
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %s | %,d | %d ns | %d ns | %,d ns | %,d ns |%n",
            counters.name().toLowerCase(Locale.ROOT),
            disk,
            calls.getTotalCount(),
            calls.getValueAtPercentile(50),
            calls.getValueAtPercentile(99),
            calls.getValueAtPercentile(99.99),
            calls.getValueAtPercentile(99.999)));
  }
}
