package io.hdrsidecar.benchmarks.merge;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One encoded interval added to the counts of its series; 256 series in turn, so that not all of
 * them are in the processor's cache.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MergeBenchmark {
  private static final int SERIES = 256;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, Payloads.DIGITS);

  /** Non-zero buckets of an interval. */
  @Param({"50", "500", "5000"})
  private int buckets;

  /** Whether payloads are deflated, as HdrHistogram does by default. */
  @Param({"true", "false"})
  private boolean deflated;

  private Payloads payloads = new Payloads(0, 0, false);
  private final PagedCounts[] ours = new PagedCounts[SERIES];
  private final Histogram[] theirs = new Histogram[SERIES];
  private final HistogramDecoder decoder = new HistogramDecoder(1 << 20, new StreamInflater());
  private final DecodedHistogram decoded = new DecodedHistogram();
  private int next;

  /** Both have seen every payload once, so all memory for counts is there. */
  @Setup
  public void fill() throws Exception {
    payloads = new Payloads(SERIES, buckets, deflated);
    Arrays.setAll(ours, i -> new PagedCounts(LAYOUT));
    Arrays.setAll(theirs, i -> new Histogram(1, Payloads.HIGHEST, Payloads.DIGITS));
    for (int i = 0; i < SERIES; i++) {
      decodeAndAdd();
      theirs[i].add(payloads.histogram(i));
    }
  }

  private int turn() {
    next = (next + 1) & (SERIES - 1);
    return next;
  }

  /** Ours: inflated, checked and walked into a reused list, which is added to pages of counters. */
  @Benchmark
  public long decodeAndAdd() throws Exception {
    int series = turn();
    byte[] payload = payloads.encoded(series);
    decoder.decode(payload, 0, payload.length, decoded);
    ours[series].add(decoded.counts());
    return decoded.counts().total();
  }

  /** HdrHistogram: decoded into a new histogram, which is added to that of the series. */
  @Benchmark
  public long hdrHistogram() throws DataFormatException {
    int series = turn();
    ByteBuffer payload = ByteBuffer.wrap(payloads.encoded(series));
    Histogram interval =
        deflated
            ? Histogram.decodeFromCompressedByteBuffer(payload, 0)
            : Histogram.decodeFromByteBuffer(payload, 0);
    theirs[series].add(interval);
    return interval.getTotalCount();
  }

  /** Frees the inflater. */
  @TearDown
  public void close() {
    decoder.close();
  }
}
