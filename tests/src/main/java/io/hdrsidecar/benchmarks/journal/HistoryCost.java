package io.hdrsidecar.benchmarks.journal;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Measures what the history takes of merging: processor time and allocation of the merge thread for
 * an interval, with none, with one that has room, and with one that is full. In turn, in one run.
 *
 * <p>Arguments: series (1,000), values in an interval (200), intervals of a series in a round
 * (200), rounds (5).
 */
public final class HistoryCost {
  private static final long ROOMY = 4L << 30;
  private static final long FULL = 16L << 20;

  private final int series;
  private final int values;
  private final int intervals;

  private HistoryCost(int series, int values, int intervals) {
    this.series = series;
    this.values = values;
    this.intervals = intervals;
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    HistoryCost cost =
        new HistoryCost(
            JournalCost.number(args, 0, 1000),
            JournalCost.number(args, 1, 200),
            JournalCost.number(args, 2, 200));
    for (int i = 0; i < JournalCost.number(args, 3, 5); i++) {
      cost.round("none", 0);
      cost.round("with room", ROOMY);
      cost.round("full", FULL);
    }
  }

  private void round(String what, long historyBytes) throws Exception {
    SteppingClock clock = new SteppingClock(System.currentTimeMillis());
    SeriesStore store =
        new SeriesStore(MergeConfig.defaults(), clock, () -> clock.millis() * 1_000_000);
    History history = new History(Math.max(1, historyBytes));
    if (historyBytes > 0) {
      store.past().keepIn(history);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (MergeLoad load = new MergeLoad(store, series, values)) {
      for (int i = 0; i < intervals / 2; i++) {
        merge(load, clock);
      }
      long keptBefore = history.usedBytes();
      long busy = 0;
      long allocated = 0;
      for (int i = 0; i < intervals; i++) {
        load.encodeFrames(clock.millis());
        clock.step(1000);
        long busyStart = threads.getCurrentThreadCpuTime();
        long allocatedStart = threads.getCurrentThreadAllocatedBytes();
        load.mergeAll();
        allocated += threads.getCurrentThreadAllocatedBytes() - allocatedStart;
        busy += threads.getCurrentThreadCpuTime() - busyStart;
      }
      long merged = (long) series * intervals;
      System.out.printf(
          Locale.ROOT,
          "%-9s: %6d ns and %5d B allocated for an interval, %5d B of them kept;"
              + " holds %d intervals in %d kB, dropped %d%n",
          what,
          busy / merged,
          allocated / merged,
          (history.usedBytes() - keptBefore) / merged,
          history.intervals(),
          history.usedBytes() / 1024,
          history.droppedIntervals());
    }
  }

  private static void merge(MergeLoad load, SteppingClock clock) throws Exception {
    load.encodeFrames(clock.millis());
    clock.step(1000);
    load.mergeAll();
  }
}
