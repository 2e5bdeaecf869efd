package io.hdrsidecar.benchmarks.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
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

/** One interval of one series, from the recorder to its encoding. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HarvestBenchmark {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final int DEFLATE_LEVEL = 1;

  /** Values recorded in the interval. */
  @Param({"100", "1000", "100000"})
  private int values;

  private long[] latencies = {};
  private final SeriesRecorder ours = new SeriesRecorder(LAYOUT, Latencies.HIGHEST);
  private final Accumulation interval = new Accumulation(LAYOUT);
  private final HistogramEncoder encoder = new HistogramEncoder();
  private final Recorder recorder = new Recorder(1, Latencies.HIGHEST, 3);
  private Histogram histogram = recorder.getIntervalHistogram();
  private final ByteBuffer buffer =
      ByteBuffer.allocate(histogram.getNeededByteBufferCapacity() + 1024);

  /** An hour of traffic has touched the pages of both. */
  @Setup
  public void warmUp() {
    for (long value : Latencies.logNormal(1_000_000, 2)) {
      ours.record(value);
      recorder.recordValue(value);
    }
    ours.harvestInto(interval);
    histogram = recorder.getIntervalHistogram(histogram);
    latencies = Latencies.logNormal(values, 3);
  }

  /** The interval's values, for both. */
  @Setup(Level.Invocation)
  public void recordInterval() {
    for (long value : latencies) {
      ours.record(value);
      recorder.recordValue(value);
    }
  }

  /** Ours, to HdrHistogram V2. */
  @Benchmark
  public ByteBuffer oursRaw() {
    return harvestAndEncode(0);
  }

  /** Ours, to deflated HdrHistogram V2. */
  @Benchmark
  public ByteBuffer oursDeflated() {
    return harvestAndEncode(DEFLATE_LEVEL);
  }

  private ByteBuffer harvestAndEncode(int level) {
    interval.clear();
    ours.harvestInto(interval);
    return encoder.encode(interval.counts(), Latencies.HIGHEST, level);
  }

  /** Recorder, recycled histogram, to HdrHistogram V2. */
  @Benchmark
  public int recorderRaw() {
    histogram = recorder.getIntervalHistogram(histogram);
    buffer.clear();
    return histogram.encodeIntoByteBuffer(buffer);
  }

  /** Recorder, recycled histogram, to deflated HdrHistogram V2. */
  @Benchmark
  public int recorderDeflated() {
    histogram = recorder.getIntervalHistogram(histogram);
    buffer.clear();
    return histogram.encodeIntoCompressedByteBuffer(buffer, DEFLATE_LEVEL);
  }

  /** Frees the deflater. */
  @TearDown
  public void close() {
    encoder.close();
  }
}
