package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One harvest of one series, wherever its counters are. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CrashHarvestBenchmark {
  /** Where the counters are. */
  @Param private Counters counters = Counters.HEAP;

  /** Values recorded in the interval. */
  @Param({"0", "100", "1000", "100000"})
  private int values;

  private final Accumulation interval = new Accumulation(Counters.LAYOUT);
  private SeriesRecorder recorder = new SeriesRecorder(Counters.LAYOUT, Latencies.HIGHEST);
  private long[] latencies = {};

  /** An hour of traffic has touched the pages. */
  @Setup
  public void warmUp() throws IOException {
    recorder = counters.recorder();
    for (long value : Latencies.logNormal(1_000_000, 2)) {
      recorder.record(value);
    }
    recorder.harvestInto(interval);
    latencies = Latencies.logNormal(values, 3);
  }

  /** The interval's values. */
  @Setup(Level.Invocation)
  public void recordInterval() {
    for (long value : latencies) {
      recorder.record(value);
    }
  }

  /** Into counts that have their pages. */
  @Benchmark
  public long harvest() {
    interval.clear();
    return recorder.harvestInto(interval);
  }
}
