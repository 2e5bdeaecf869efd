package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.record.SeriesRecorder;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Recording where it outlives the process and where it does not. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CrashBenchmark {
  /** Where the counters are. */
  @Param private Counters counters = Counters.HEAP;

  private SeriesRecorder recorder = new SeriesRecorder(Counters.LAYOUT, Latencies.HIGHEST);
  private @Nullable BenchmarkSampler sampler;

  /** Starts the sampler. */
  @Setup
  public void start() throws IOException {
    recorder = counters.recorder();
    sampler = new BenchmarkSampler(recorder);
  }

  /** Stops the sampler; fails when it had failed. */
  @TearDown
  public void stop() {
    if (sampler != null) {
      sampler.close();
    }
  }

  /** Count, exact sum, minimum and maximum. */
  @Benchmark
  public void record(Latencies latencies) {
    recorder.record(latencies.next());
  }
}
