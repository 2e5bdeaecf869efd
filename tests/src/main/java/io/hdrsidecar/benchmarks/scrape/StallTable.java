package io.hdrsidecar.benchmarks.scrape;

import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.benchmarks.Group;
import io.hdrsidecar.sidecar.expose.Exposition;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Group {@code stall}: how late merging is. Intervals are due at a steady pace, and each is late by
 * the time from when it was due to when it was merged. Measured without scrapes and with a thread
 * that renders pages without a pause; what is late without them, too, is the machine's.
 */
public final class StallTable implements Group {
  private static final long NANOS_BETWEEN = 100_000; // 10,000 a second

  @Override
  public String name() {
    return "stall";
  }

  @Override
  public String about() {
    return "How many ms late 10,000 intervals a second are merged into 10,000 series, without"
        + " scrapes and while another thread renders protobuf pages without a pause, in turn. What"
        + " is late without scrapes is the machine's. Goal: a scrape adds at most 5 ms.";
  }

  @Override
  public String measure(Effort effort) {
    try {
      return measure(ScrapeTable.filled(effort), effort.quick() ? 500 : 10_000);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String measure(LoadedStore load, long millis) throws Exception {
    Exposition exposition = ScrapeTable.exposition(load);
    run(load, millis, exposition);
    StringBuilder table =
        new StringBuilder(
            """
            | merging | median | 99.9 % | most |
            |---|---|---|---|
            """);
    for (int round = 0; round < 3; round++) {
      append(table, "without scrapes", run(load, millis, null));
      append(table, "while pages are rendered without a pause", run(load, millis, exposition));
    }
    return table.toString();
  }

  private static void append(StringBuilder table, String when, Histogram late) {
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %.3f | %.3f | %.3f |%n",
            when,
            late.getValueAtPercentile(50) / 1e6,
            late.getValueAtPercentile(99.9) / 1e6,
            late.getMaxValue() / 1e6));
  }

  private static Histogram run(LoadedStore load, long millis, @Nullable Exposition scraped)
      throws Exception {
    ScrapeLoop scrapes = new ScrapeLoop(scraped);
    Thread thread = new Thread(scrapes, "scrapes");
    thread.start();
    Histogram late = new Histogram(3);
    long start = System.nanoTime();
    long due = start;
    for (int i = 0; due - start < millis * 1_000_000; i++, due += NANOS_BETWEEN) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      load.merge(i % load.size());
      late.recordValue(System.nanoTime() - due);
    }
    scrapes.stop = true;
    thread.join();
    scrapes.rethrow();
    return late;
  }

  /** Renders until it is told to stop. */
  private static final class ScrapeLoop implements Runnable {
    private final @Nullable Exposition exposition;
    private volatile boolean stop;
    private volatile @Nullable Exception failure;

    ScrapeLoop(@Nullable Exposition exposition) {
      this.exposition = exposition;
    }

    @Override
    public void run() {
      try {
        while (exposition != null && !stop) {
          exposition.render(ScrapeTable.PROTOBUF, false);
        }
      } catch (Exception e) {
        failure = e;
      }
    }

    void rethrow() throws Exception {
      Exception thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
    }
  }
}
