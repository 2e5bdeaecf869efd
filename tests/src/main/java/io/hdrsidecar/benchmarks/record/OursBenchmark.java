package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Our recorder, harvested meanwhile as in production, which is what lets its stripes grow. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OursBenchmark {
  private static final int HARVEST_MILLIS = 200;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final SeriesRecorder recorder = new SeriesRecorder(LAYOUT, Latencies.HIGHEST);
  private final Accumulation interval = new Accumulation(LAYOUT);
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private @Nullable Future<?> sampler;

  /** Starts the sampler. */
  @Setup
  public void start() {
    sampler =
        executor.scheduleAtFixedRate(
            this::harvest, HARVEST_MILLIS, HARVEST_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void harvest() {
    interval.clear();
    recorder.harvestInto(interval);
  }

  /** Stops the sampler; fails when it had failed. */
  @TearDown
  public void stop() {
    if (sampler == null || sampler.isDone()) {
      throw new IllegalStateException("the sampler ended early: " + sampler);
    }
    executor.shutdownNow();
  }

  /** Count, exact sum, minimum and maximum. */
  @Benchmark
  public void record(Latencies latencies) {
    recorder.record(latencies.next());
  }
}
