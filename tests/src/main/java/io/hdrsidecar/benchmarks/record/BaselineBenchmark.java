package io.hdrsidecar.benchmarks.record;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What one atomic addition, and reading the clock, cost on this machine. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BaselineBenchmark {
  private final LongAdder adder = new LongAdder();

  /** A sum, nothing else. */
  @Benchmark
  public void longAdder(Latencies latencies) {
    adder.add(latencies.next());
  }

  /** Half of what a measurement costs before anything is recorded. */
  @Benchmark
  public long nanoTime() {
    return System.nanoTime();
  }
}
