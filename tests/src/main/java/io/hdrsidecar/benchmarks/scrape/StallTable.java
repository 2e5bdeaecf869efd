package io.hdrsidecar.benchmarks.scrape;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.sidecar.expose.Exposition;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Group {@code stall}: how late merging is. Intervals are due at a steady pace, and each is late by
 * the time from when it was due to when it was merged. Slices of a second with a scrape and without
 * one take turns, so that whatever else the machine does happens to both alike; what is late
 * without scrapes, too, is the machine's. The processor time of each merge tells, on a busy machine
 * as well, whether readers make the writer work or wait in a loop.
 */
public final class StallTable implements BenchmarkGroup {
  private static final long NANOS_BETWEEN = 100_000; // 10,000 a second
  private static final long STALL_NANOS = 5_000_000;
  private static final ThreadMXBean THREADS =
      (ThreadMXBean) ManagementFactory.getThreadMXBean(); // of HotSpot

  @Override
  public String name() {
    return "stall";
  }

  @Override
  public String about() {
    return "How many ms late 10,000 intervals a second are merged into 10,000 series, in slices of"
        + " a second that begin with a protobuf scrape in another thread, and in slices without,"
        + " in turn; intervals more than 5 ms late, a slice, and how many slices had any; and the"
        + " processor time of one merge in us. What is late without scrapes is the machine's."
        + " Goal: a scrape adds at most 5 ms.";
  }

  @Override
  public String measure(Effort effort) {
    ExecutorService scraper = Executors.newSingleThreadExecutor();
    try {
      LoadedStore load = ScrapeTable.filled(effort);
      Exposition exposition = ScrapeTable.exposition(load);
      long sliceMillis = effort.quick() ? 50 : 1000;
      run(load, exposition, scraper, 10, sliceMillis); // warm-up
      return run(load, exposition, scraper, effort.quick() ? 4 : 60, sliceMillis);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      scraper.shutdownNow();
    }
  }

  private static String run(
      LoadedStore load, Exposition exposition, ExecutorService scraper, int slices, long millis)
      throws Exception {
    Slices without = new Slices();
    Slices with = new Slices();
    for (int slice = 0; slice < slices; slice += 2) {
      without.measureOne(load, millis);
      Future<Integer> scrape =
          scraper.submit(() -> new WholePage(exposition, ScrapeTable.PROTOBUF).length());
      with.measureOne(load, millis);
      scrape.get();
    }
    return String.format(
        Locale.ROOT,
        "Load average at the end: %.1f.%n%n%s%s%s",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        """
        | slices | late: median | 99 % | 99.9 % | most | > 5 ms, a slice | slices with any | CPU us: median | 99.9 % | most |
        |---|---|---|---|---|---|---|---|---|---|
        """,
        without.row("without a scrape"),
        with.row("with a scrape"));
  }

  /** All slices of one kind. */
  private static final class Slices {
    private final Histogram late = new Histogram(3);
    private final Histogram cpu = new Histogram(3);
    private int slices;
    private long stalled;
    private int slicesWithStalls;
    private int next;

    void measureOne(LoadedStore load, long millis) throws Exception {
      long stalledBefore = stalled;
      long start = System.nanoTime();
      for (long due = start; due - start < millis * 1_000_000; due += NANOS_BETWEEN) {
        while (System.nanoTime() - due < 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        long cpuBefore = THREADS.getCurrentThreadCpuTime();
        load.merge(next);
        cpu.recordValue(THREADS.getCurrentThreadCpuTime() - cpuBefore);
        long lateness = System.nanoTime() - due;
        late.recordValue(lateness);
        stalled += lateness > STALL_NANOS ? 1 : 0;
        next = (next + 1) % load.size();
      }
      slices++;
      slicesWithStalls += stalled > stalledBefore ? 1 : 0;
    }

    String row(String name) {
      return String.format(
          Locale.ROOT,
          "| %d %s | %.3f | %.3f | %.3f | %.3f | %.1f | %d | %.1f | %.1f | %.1f |%n",
          slices,
          name,
          late.getValueAtPercentile(50) / 1e6,
          late.getValueAtPercentile(99) / 1e6,
          late.getValueAtPercentile(99.9) / 1e6,
          late.getMaxValue() / 1e6,
          (double) stalled / slices,
          slicesWithStalls,
          cpu.getValueAtPercentile(50) / 1e3,
          cpu.getValueAtPercentile(99.9) / 1e3,
          cpu.getMaxValue() / 1e3);
    }
  }
}
