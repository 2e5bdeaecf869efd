package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Harvests recorders while they are measured, as in production, which lets their stripes grow: each
 * once a second, and a few of them five times, so that all of them have grown soon.
 */
final class BenchmarkSampler implements AutoCloseable {
  private static final int HARVEST_MILLIS = 200;
  private static final int HARVESTS_PER_SECOND = 1_000 / HARVEST_MILLIS;
  private static final int FEW = 100;

  private final List<SeriesRecorder> recorders;
  private final int atOnce;
  private final Accumulation interval = new Accumulation(Counters.LAYOUT);
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> running;
  private final AtomicInteger harvests = new AtomicInteger();

  private int next;

  /** Of one recorder. */
  BenchmarkSampler(SeriesRecorder recorder) {
    this(List.of(recorder));
  }

  /** Of this layout: {@link Counters#LAYOUT}. */
  BenchmarkSampler(List<SeriesRecorder> recorders) {
    this.recorders = recorders;
    this.atOnce =
        recorders.size() <= FEW ? recorders.size() : recorders.size() / HARVESTS_PER_SECOND;
    this.running =
        executor.scheduleAtFixedRate(
            this::harvest, HARVEST_MILLIS, HARVEST_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void harvest() {
    for (int i = 0; i < atOnce; i++) {
      interval.clear();
      recorders.get(next).harvestInto(interval);
      next = (next + 1) % recorders.size();
    }
    harvests.incrementAndGet();
  }

  @Override
  public String toString() {
    return harvests + " harvests";
  }

  /** Fails when a harvest had failed. */
  @Override
  public void close() {
    if (running.isDone()) {
      throw new IllegalStateException("the sampler ended early: " + running);
    }
    executor.shutdownNow();
  }
}
