package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.benchmarks.record.RecordingDesign.Recording;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Many series in turn, so that the counters of each leave the caches meanwhile. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ManySeriesBenchmark {
  /** What records. */
  @Param private RecordingDesign design = RecordingDesign.OURS;

  /** Into so many series. */
  @Param({"1", "100", "1000", "10000"})
  private int series;

  private Recording recording = (at, value) -> {};

  /** Makes all series. */
  @Setup
  public void start() throws IOException {
    recording = design.of(series);
  }

  /** Ends what runs beside it. */
  @TearDown
  public void stop() {
    recording.close();
  }

  /** One value, into the series whose turn it is. */
  @Benchmark
  public void record(Latencies latencies, Turn turn) {
    recording.record(turn.next(series), latencies.next());
  }

  /** All series, evenly, and no two neighbours one after the other: steps of a golden section. */
  @State(Scope.Thread)
  public static class Turn {
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;
    private static final AtomicInteger THREADS = new AtomicInteger();

    private long place = THREADS.getAndIncrement() * (STEP / 7);

    int next(int series) {
      place += STEP;
      return (int) (((place >>> 32) * series) >>> 32);
    }
  }
}
