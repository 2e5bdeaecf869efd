package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import java.util.Arrays;
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
import org.openjdk.jmh.annotations.TearDown;

/** One interval of 1,000 series: harvest and encoding, as the sampler does them each second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FlushBenchmark {
  private static final int SERIES = 1_000;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  /** Values recorded to each series in the interval. */
  @Param({"0", "10", "100", "1000"})
  private int values;

  private final SeriesRecorder[] series = new SeriesRecorder[SERIES];
  private final Accumulation interval = new Accumulation(LAYOUT);
  private final HistogramEncoder encoder = new HistogramEncoder();
  private long[] latencies = {};

  /** Traffic has touched the pages of all series. */
  @Setup
  public void warmUp() {
    Arrays.setAll(series, i -> new SeriesRecorder(LAYOUT, Latencies.HIGHEST));
    latencies = Latencies.logNormal(SERIES * values, 3);
    long[] before = Latencies.logNormal(20_000, 2);
    for (SeriesRecorder recorder : series) {
      for (long value : before) {
        recorder.record(value);
      }
      interval.clear();
      recorder.harvestInto(interval);
    }
  }

  /** The interval's values, in turn. */
  @Setup(Level.Invocation)
  public void recordInterval() {
    for (int i = 0; i < latencies.length; i++) {
      series[i % SERIES].record(latencies[i]);
    }
  }

  /** To HdrHistogram V2. */
  @Benchmark
  public int raw() {
    return flush(0);
  }

  /** To deflated HdrHistogram V2. */
  @Benchmark
  public int deflated() {
    return flush(1);
  }

  private int flush(int level) {
    int bytes = 0;
    for (SeriesRecorder recorder : series) {
      interval.clear();
      if (recorder.harvestInto(interval) > 0) {
        bytes += encoder.encode(interval.counts(), Latencies.HIGHEST, level).remaining();
      }
    }
    return bytes;
  }

  /** Frees the deflater. */
  @TearDown
  public void close() {
    encoder.close();
  }
}
