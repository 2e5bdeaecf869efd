package io.hdrsidecar.benchmarks.record;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** HdrHistogram's recorders at 3 digits; nobody takes interval histograms meanwhile. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HdrHistogramBenchmark {
  private final Recorder fixed = new Recorder(1, Latencies.HIGHEST, 3);
  private final Recorder auto = new Recorder(3);
  private final ThreadLocal<SingleWriterRecorder> perThread =
      ThreadLocal.withInitial(() -> new SingleWriterRecorder(1, Latencies.HIGHEST, 3));

  /** Fixed range. */
  @Benchmark
  public void fixed(Latencies latencies) {
    fixed.recordValue(latencies.next());
  }

  /** Auto-resizing. */
  @Benchmark
  public void auto(Latencies latencies) {
    auto.recordValue(latencies.next());
  }

  /** One for each thread, found through a ThreadLocal. */
  @Benchmark
  public void perThread(Latencies latencies) {
    perThread.get().recordValue(latencies.next());
  }
}
