package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * {@code ManySeries heap|mapped}: what a recorded value costs a thread that records into 1, 100 and
 * 1,000 series in no order, so that their counters leave the caches meanwhile. One kind of counters
 * a JVM, as in a service.
 */
public final class ManySeries {
  private static final int TIMES = 5_000_000;
  private static final int WARM_UPS = 5;
  private static final int ROUNDS = 11;
  private static final int VALUES = 1 << 16;

  private final List<SeriesRecorder> recorders;
  private final long[] values = Latencies.logNormal(VALUES, 4);
  private final int[] order;
  private final Accumulation interval = new Accumulation(Counters.LAYOUT);

  private ManySeries(Counters counters, int series) throws IOException {
    this.recorders = counters.recorders(series);
    this.order = new SplittableRandom(1).ints(2 * VALUES, 0, series).toArray();
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    Counters counters = Counters.valueOf(args[0].toUpperCase(Locale.ROOT));
    for (int series : new int[] {1, 100, 1_000}) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %,d | %.1f ns |%n",
          args[0],
          series,
          new ManySeries(counters, series).measure());
    }
  }

  /** The median. */
  private double measure() {
    double[] rounds = new double[ROUNDS];
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      double nanos = record();
      if (round >= 0) {
        rounds[round] = nanos;
      }
      for (SeriesRecorder recorder : recorders) {
        interval.clear();
        recorder.harvestInto(interval);
      }
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }

  private double record() {
    SeriesRecorder[] all = recorders.toArray(SeriesRecorder[]::new);
    long start = System.nanoTime();
    for (int i = 0; i < TIMES; i++) {
      all[order[i & (order.length - 1)]].record(values[i & (VALUES - 1)]);
    }
    return (System.nanoTime() - start) / (double) TIMES;
  }
}
