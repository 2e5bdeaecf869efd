package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Harvests a recorder while it is measured, as in production, which lets its stripes grow. */
final class BenchmarkSampler implements AutoCloseable {
  private static final int HARVEST_MILLIS = 200;

  private final SeriesRecorder recorder;
  private final Accumulation interval = new Accumulation(Counters.LAYOUT);
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> running;
  private final AtomicInteger harvests = new AtomicInteger();

  /** Of this layout: {@link Counters#LAYOUT}. */
  BenchmarkSampler(SeriesRecorder recorder) {
    this.recorder = recorder;
    this.running =
        executor.scheduleAtFixedRate(
            this::harvest, HARVEST_MILLIS, HARVEST_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void harvest() {
    interval.clear();
    recorder.harvestInto(interval);
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
