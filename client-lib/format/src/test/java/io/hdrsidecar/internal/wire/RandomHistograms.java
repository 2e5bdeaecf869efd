package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** HdrHistograms of many shapes, and their counts in our types. */
final class RandomHistograms {
  private static final long[] LOWEST = {1, 1, 1, 2, 3, 7, 1000, 20_000, (1L << 20) - 1};

  private RandomHistograms() {}

  static Histogram next(SplittableRandom random, int digits) {
    long lowest = LOWEST[random.nextInt(LOWEST.length)];
    // Fine layouts of wide ranges need tens of megabytes, which prove nothing more.
    int rangeBits = random.nextInt(1, digits < 4 ? 42 : 18);
    Histogram histogram = new Histogram(lowest, lowest << rangeBits, digits);
    switch (random.nextInt(6)) {
      case 0 -> {} // Empty.
      case 1 -> histogram.recordValueWithCount(0, 1 + random.nextLong(1000));
      case 2 -> histogram.recordValueWithCount(lowest << rangeBits, 1L << 62);
      case 3 -> sparse(random, histogram, 3);
      case 4 -> sparse(random, histogram, 2000);
      default -> dense(random, histogram);
    }
    return histogram;
  }

  /** Values all over the range, so with long runs of empty buckets, and counts of every size. */
  private static void sparse(SplittableRandom random, Histogram histogram, int values) {
    for (int i = 0; i < values; i++) {
      histogram.recordValueWithCount(
          random.nextLong(histogram.getHighestTrackableValue() + 1) >>> random.nextInt(40),
          1 + random.nextLong(1L << random.nextInt(1, 50)));
    }
  }

  /** Neighbouring buckets, as latencies fill them. */
  private static void dense(SplittableRandom random, Histogram histogram) {
    long highest = histogram.getHighestTrackableValue();
    long median = 1 + random.nextLong(highest);
    for (int i = 0; i < 5000; i++) {
      double spread = random.nextDouble() + random.nextDouble() + random.nextDouble();
      histogram.recordValue(Math.min(highest, (long) (median * spread / 3)));
    }
  }

  static BucketLayout layoutOf(AbstractHistogram histogram) {
    return BucketLayout.of(
        histogram.getLowestDiscernibleValue(), histogram.getNumberOfSignificantValueDigits());
  }

  static Map<Integer, Long> bucketsOf(AbstractHistogram histogram) {
    BucketLayout layout = layoutOf(histogram);
    Map<Integer, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(layout.indexOf(value.getValueIteratedTo()), value.getCountAtValueIteratedTo());
    }
    return buckets;
  }

  static Map<Integer, Long> bucketsOf(DecodedHistogram decoded) {
    Map<Integer, Long> buckets = new TreeMap<>();
    for (int i = 0; i < decoded.counts().size(); i++) {
      buckets.put(decoded.counts().indexAt(i), decoded.counts().countAt(i));
    }
    return buckets;
  }

  static PagedCounts countsOf(AbstractHistogram histogram) {
    PagedCounts counts = new PagedCounts(layoutOf(histogram));
    bucketsOf(histogram).forEach(counts::add);
    return counts;
  }

  static byte[] rawBytesOf(AbstractHistogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    return Arrays.copyOf(buffer.array(), histogram.encodeIntoByteBuffer(buffer));
  }

  static byte[] deflatedBytesOf(AbstractHistogram histogram, int level) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity() + 100_000);
    return Arrays.copyOf(buffer.array(), histogram.encodeIntoCompressedByteBuffer(buffer, level));
  }

  static byte[] bytesOf(ByteBuffer encoded) {
    byte[] bytes = new byte[encoded.remaining()];
    encoded.duplicate().get(bytes);
    return bytes;
  }
}
