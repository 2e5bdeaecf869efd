package io.hdrsidecar.sidecar.counts;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;

/**
 * What one interval adds to its series: buckets and figures. A flyweight that one writer fills
 * again and again; valid during one merge.
 */
public final class IntervalCounts {
  private static final int NOT_PACKED = -1;

  private final ExactSum estimatedSum = new ExactSum();
  private SparseCounts counts = new SparseCounts();
  private byte[] packed = {};
  private int packedLength = NOT_PACKED;
  private long sumHigh;
  private long sumLow;
  private boolean sumExact;
  private long min;
  private long max;
  private long endNanos;
  private long lengthNanos;

  /**
   * Takes over the figures; {@code ofInterval} is referred to, not copied.
   *
   * @param upperSum upper 64 bits of the sum of the values
   * @param lowerSum lower 64 bits, unsigned
   * @param exact whether the sum was counted, not derived from the buckets
   */
  public void set(
      SparseCounts ofInterval,
      long upperSum,
      long lowerSum,
      boolean exact,
      long smallest,
      long largest) {
    counts = ofInterval;
    packedLength = NOT_PACKED;
    sumHigh = upperSum;
    sumLow = lowerSum;
    sumExact = exact;
    min = smallest;
    max = largest;
  }

  /**
   * Takes over an interval that came without figures, as in a histogram log: the sum is taken from
   * the middle of each bucket, minimum and maximum from the edges of the first and the last.
   *
   * @param histogram is referred to, not copied
   */
  public void setWithoutFigures(DecodedHistogram histogram) {
    SparseCounts buckets = histogram.counts();
    estimatedSum.clear();
    for (int i = 0; i < buckets.size(); i++) {
      long middle = histogram.layout().medianValueAt(buckets.indexAt(i));
      estimatedSum.addProduct(middle, buckets.countAt(i));
    }
    boolean empty = buckets.size() == 0;
    set(
        buckets,
        estimatedSum.high(),
        estimatedSum.low(),
        empty,
        empty ? Long.MAX_VALUE : histogram.lowestValue(),
        histogram.highestValue());
  }

  /**
   * Says where the interval lies.
   *
   * @param end its end, on the monotonic clock of the windows, not after now
   * @param length from its start to its end, 0 or more
   */
  public void place(long end, long length) {
    endNanos = end;
    lengthNanos = length;
  }

  /** The non-zero buckets. */
  public SparseCounts counts() {
    return counts;
  }

  /**
   * The non-zero buckets as {@link PackedCounts}, from 0 up to {@link #packedLength}. They are
   * packed once, by whoever asks first, for all windows and the history.
   */
  public byte[] packed() {
    if (packedLength == NOT_PACKED) {
      int most = PackedCounts.maxBytes(counts);
      if (packed.length < most) {
        packed = new byte[Math.max(most, packed.length + packed.length / 4)];
      }
      packedLength = PackedCounts.write(counts, packed, 0);
    }
    return packed;
  }

  /** Length of what {@link #packed} returns. */
  public int packedLength() {
    packed();
    return packedLength;
  }

  /** Upper 64 bits of the sum. */
  public long sumHigh() {
    return sumHigh;
  }

  /** Lower 64 bits of the sum, unsigned. */
  public long sumLow() {
    return sumLow;
  }

  /** Whether the sum was counted, not derived from the buckets. */
  public boolean isSumExact() {
    return sumExact;
  }

  /** Smallest value. */
  public long min() {
    return min;
  }

  /** Largest value. */
  public long max() {
    return max;
  }

  /** End of the interval, in nanoseconds on the clock of the windows. */
  public long endNanos() {
    return endNanos;
  }

  /** From its start to its end, in nanoseconds. */
  public long lengthNanos() {
    return lengthNanos;
  }
}
