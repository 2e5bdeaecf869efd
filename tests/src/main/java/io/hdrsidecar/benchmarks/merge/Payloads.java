package io.hdrsidecar.benchmarks.merge;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * Interval histograms as HdrHistogram encodes them: 3 digits, 1 ns to 1 h, log-normal around 1 ms,
 * each with as many non-zero buckets as asked for.
 */
final class Payloads {
  static final long HIGHEST = 3_600_000_000_000L;
  static final int DIGITS = 3;

  private final List<Histogram> histograms = new ArrayList<>();
  private final List<byte[]> encoded = new ArrayList<>();

  Payloads(int howMany, int buckets, boolean deflated) {
    SplittableRandom random = new SplittableRandom(buckets);
    for (int i = 0; i < howMany; i++) {
      Histogram histogram = withBuckets(buckets, random);
      histograms.add(histogram);
      encoded.add(encode(histogram, deflated));
    }
  }

  private static Histogram withBuckets(int buckets, SplittableRandom random) {
    Histogram histogram = new Histogram(1, HIGHEST, DIGITS);
    for (int filled = 0; filled < buckets; ) {
      long value = (long) (1e6 * Math.exp(random.nextGaussian()));
      filled += histogram.getCountAtValue(value) == 0 ? 1 : 0;
      histogram.recordValue(value);
    }
    return histogram;
  }

  private static byte[] encode(Histogram histogram, boolean deflated) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity() + 64);
    int length =
        deflated
            ? histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.DEFAULT_COMPRESSION)
            : histogram.encodeIntoByteBuffer(buffer);
    return Arrays.copyOf(buffer.array(), length);
  }

  int size() {
    return encoded.size();
  }

  byte[] encoded(int index) {
    return encoded.get(index);
  }

  Histogram histogram(int index) {
    return histograms.get(index);
  }
}
