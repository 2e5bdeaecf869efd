package io.hdrsidecar.benchmarks.scrape;

import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.benchmarks.journal.SteppingClock;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Group {@code windows}: the processor time of the merging thread for one second of 10,000 series,
 * with and without windows, as the difference is their upkeep. The clock is turned by hand, so that
 * every window is full and each second takes one step out of each.
 */
public final class WindowsTable implements BenchmarkGroup {
  private static final long BEGIN_MILLIS = 1_700_000_000_000L;
  private static final int SERIES = 10_000;
  private static final int[] VALUES = {100};

  /** Windows, and after how many seconds all of them are full and the JIT has seen all. */
  private record Choice(String windows, int fillSeconds) {}

  private static final List<Choice> CHOICES =
      List.of(new Choice("", 30), new Choice("1m", 80), new Choice("10s,1m,5m", 320));

  @Override
  public String name() {
    return "windows";
  }

  @Override
  public String about() {
    return "Processor time of the merging thread for each second of 10,000 series that send one"
        + " interval a second, once the windows are full; merging alone is the first line, the rest"
        + " are the additions of windows and their upkeep. Goal: 10s,1m,5m add at most 25 % of a"
        + " core. Clock turned by hand.";
  }

  @Override
  public String measure(Effort effort) {
    StringBuilder table =
        new StringBuilder(
            """
            | windows | values an interval | non-zero buckets | ms a second | added | heap MB |
            |---|---|---|---|---|---|
            """);
    try {
      for (int values : VALUES) {
        double alone = 0;
        for (Choice choice : CHOICES) {
          String windows = choice.windows();
          SteppingClock time = new SteppingClock(BEGIN_MILLIS);
          int series = effort.quick() ? 200 : SERIES;
          LoadedStore load = new LoadedStore(series, values, windows, time, time::nanos);
          double millis = second(load, time, choice.fillSeconds(), effort);
          alone = windows.isEmpty() ? millis : alone;
          String line =
              String.format(
                  Locale.ROOT,
                  "| %s | %d | %.0f | %.1f | %.1f %% of a core | %.0f |%n",
                  windows.isEmpty() ? "none" : windows,
                  values,
                  load.bucketsInInterval(),
                  millis,
                  (millis - alone) / 10,
                  load.store().status().bytes() / 1e6);
          System.out.print("  " + line);
          table.append(line);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return table.toString();
  }

  /** Median of the seconds after the windows are full. */
  private static double second(LoadedStore load, SteppingClock time, int fillSeconds, Effort effort)
      throws Exception {
    int measured = effort.quick() ? 3 : 21;
    long[] nanos = new long[measured];
    for (int i = 0; i < fillSeconds + measured; i++) {
      time.step(1000);
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      load.mergeAll();
      load.store().advanceWindows();
      if (i >= fillSeconds) {
        nanos[i - fillSeconds] =
            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
      }
    }
    Arrays.sort(nanos);
    return nanos[measured / 2] / 1e6;
  }
}
