package io.hdrsidecar.sidecar.counts;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import org.jspecify.annotations.Nullable;

/**
 * What one interval adds to its series: buckets and figures. A flyweight that one writer fills
 * again and again; valid during one merge.
 */
public final class IntervalCounts {
  private static final int NOT_PACKED = -1;

  private final ExactSum estimatedSum = new ExactSum();
  private final SumMinMax sumMinMax = new SumMinMax();
  private SparseCounts counts = new SparseCounts();
  private byte[] packed = {};
  private int packedLength = NOT_PACKED;
  private @Nullable Exemplar exemplar;
  private long endNanos;
  private long lengthNanos;

  /**
   * Takes over an interval.
   *
   * @param ofInterval is referred to, not copied
   * @param ofValues is copied
   */
  public void set(SparseCounts ofInterval, SumMinMax ofValues) {
    counts = ofInterval;
    exemplar = null;
    packedLength = NOT_PACKED;
    sumMinMax.set(ofValues);
  }

  /**
   * Takes over an interval that came without figures, as in a histogram log: the sum is taken from
   * the middle of each bucket, minimum and maximum from the edges of the first and the last.
   *
   * @param histogram is referred to, not copied
   */
  public void setWithoutSumMinMax(DecodedHistogram histogram) {
    SparseCounts buckets = histogram.counts();
    estimatedSum.clear();
    for (int i = 0; i < buckets.size(); i++) {
      long middle = histogram.layout().medianValueAt(buckets.indexAt(i));
      estimatedSum.addProduct(middle, buckets.countAt(i));
    }
    boolean empty = buckets.size() == 0;
    counts = buckets;
    exemplar = null;
    packedLength = NOT_PACKED;
    sumMinMax.set(
        estimatedSum,
        empty,
        empty ? Long.MAX_VALUE : histogram.lowestValue(),
        histogram.highestValue());
  }

  /**
   * The same of a whole histogram. Where its buckets are not HdrHistogram's, smallest and largest
   * value may be {@link SumMinMax#UNKNOWN}, and are {@link SumMinMax#settle settled}.
   */
  public void set(DecodedHistogram histogram, SumMinMax ofValues) {
    set(histogram.counts(), ofValues);
    BucketLayout layout = histogram.layout();
    if (!layout.isHdr() && counts.size() > 0) {
      sumMinMax.settle(layout, counts.indexAt(0), counts.indexAt(counts.size() - 1));
    }
  }

  /** Takes over its slowest value that has a trace, if there is one. */
  public void offer(@Nullable Exemplar ofInterval) {
    exemplar = ofInterval;
  }

  /** Its slowest value that has a trace, if the client sent one. */
  public @Nullable Exemplar exemplar() {
    return exemplar;
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
   * packed once, by the first that asks, for all windows and the history.
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

  /** Sum, minimum and maximum of the values. */
  public SumMinMax sumMinMax() {
    return sumMinMax;
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
