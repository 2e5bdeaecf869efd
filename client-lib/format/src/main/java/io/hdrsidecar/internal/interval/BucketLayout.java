package io.hdrsidecar.internal.interval;

/**
 * Where a value is counted. Immutable; equal layouts have equal buckets.
 *
 * <p>There are three kinds. {@link #of HdrHistogram's} is what clients record in. Those of {@link
 * #base2 base-2 exponential} and of {@link #explicit explicit} buckets belong to histograms of
 * OpenTelemetry, which come with their buckets: these are kept as they are, never re-recorded.
 *
 * <p>Two histograms with equal layouts add bucket by bucket without loss, whatever their highest
 * trackable values are; that is why the highest value is not part of a layout. Bucket {@code i}
 * covers the values from {@link #lowestValueAt} to {@link #highestValueAt}, both included. Values
 * are whole numbers, so the buckets {@code (lo, hi]} of OpenTelemetry are exactly as good.
 *
 * <p>Where nobody uses another kind, as in all clients, only {@link HdrLayout} is loaded. Then the
 * JIT compiler knows the target of every call here, and inlines it without a check. So this class
 * names no other in a way for which the verifier would load it: each makes its own, as a layout.
 */
public abstract class BucketLayout {
  /** Most significant digits a layout of HdrHistogram can keep apart. */
  public static final int MAX_SIGNIFICANT_DIGITS = 5;

  /** The coarsest scale of base-2 buckets: powers of 2^1024. */
  public static final int MIN_BASE2_SCALE = -10;

  /** The finest scale of base-2 buckets: 2^20 of them for each doubling of the value. */
  public static final int MAX_BASE2_SCALE = 20;

  /** Most bounds of explicit buckets. */
  public static final int MAX_BOUNDS = 256;

  BucketLayout() {}

  /**
   * HdrHistogram's layout for these two settings.
   *
   * @param lowestDiscernibleValue at least 1; smaller values share a bucket with 0
   * @param significantDigits 0 to 5
   * @throws IllegalArgumentException when a setting is out of range, or both together need more
   *     than 62 bits
   */
  public static BucketLayout of(long lowestDiscernibleValue, int significantDigits) {
    return HdrLayout.create(lowestDiscernibleValue, significantDigits);
  }

  /**
   * Base-2 exponential buckets, as OpenTelemetry and Prometheus have them: bucket {@code i} of
   * theirs is {@code (2^(i/2^scale), 2^((i+1)/2^scale)]} in the unit of the sender. Our bucket 0 is
   * that of 0 alone; {@link #base2IndexOf} leads to all others.
   *
   * @param scale -10 to 20
   * @param valuesPerUnit how many of our whole numbers a unit of the sender is: a thousand million
   *     for seconds that are kept in nanoseconds; 1 to 2^40
   * @throws IllegalArgumentException when one is out of range
   */
  public static BucketLayout base2(int scale, long valuesPerUnit) {
    return Base2Layout.create(scale, valuesPerUnit);
  }

  /**
   * Buckets between bounds: the first from 0 to the first bound, each other from above a bound to
   * the next, and the last, which is open, from above the last bound on.
   *
   * @param upperBounds whole numbers from 0, ascending, fewer than 2^63 - 1; at most 256; copied
   * @throws IllegalArgumentException when they are not
   */
  public static BucketLayout explicit(long[] upperBounds) {
    return ExplicitLayout.create(upperBounds);
  }

  /**
   * The layout, not of HdrHistogram, that {@link #toString} has written.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static BucketLayout parse(String text) {
    if (text.startsWith(Base2Layout.PREFIX)) {
      return Base2Layout.read(text);
    }
    if (text.startsWith(ExplicitLayout.PREFIX)) {
      return ExplicitLayout.read(text);
    }
    throw new IllegalArgumentException("no layout of buckets that is known here: " + text);
  }

  /** Whether the buckets are HdrHistogram's, so that its encoding can hold their counts. */
  public boolean isHdr() {
    return false;
  }

  /** Scale of base-2 buckets; {@link #MAX_BASE2_SCALE} for other kinds, which have none. */
  public int base2Scale() {
    return MAX_BASE2_SCALE;
  }

  /** Whether a bucket has no upper bound but the largest number there is. */
  public boolean isOpen() {
    return false;
  }

  /**
   * Smallest difference kept apart, in the unit of the values.
   *
   * @throws IllegalStateException when the buckets are not HdrHistogram's
   */
  public long lowestDiscernibleValue() {
    throw notHdr();
  }

  /**
   * Decimal digits kept apart at any magnitude, 0 to 5.
   *
   * @throws IllegalStateException when the buckets are not HdrHistogram's
   */
  public int significantDigits() {
    throw notHdr();
  }

  private IllegalStateException notHdr() {
    return new IllegalStateException("buckets are not HdrHistogram's: " + this);
  }

  /**
   * The bucket for a bucket of a sender with base-2 buckets. One that holds no whole number of ours
   * goes to the next that does, so no value becomes smaller; one above all of ours to the last.
   *
   * @param otlpIndex their index: any
   * @throws IllegalStateException when the buckets are not base-2
   */
  public int base2IndexOf(int otlpIndex) {
    throw new IllegalStateException("buckets are not base-2, index " + otlpIndex + ": " + this);
  }

  /**
   * Memory that a layout takes beyond an object, with two copies of its text, as definitions of
   * series have them.
   */
  public long heapBytes() {
    return 0;
  }

  /** The least highest trackable value that may go with this layout. */
  public long leastHighestValue() {
    return 1;
  }

  /**
   * The bucket that counts a value.
   *
   * @param value 0 or more; a negative value gives a meaningless result (callers clamp first)
   */
  public abstract int indexOf(long value);

  /** Lowest value counted in a bucket. */
  public abstract long lowestValueAt(int index);

  /** Highest value counted in a bucket. */
  public abstract long highestValueAt(int index);

  /** The value in the middle of a bucket, by which a sum is estimated where none was sent. */
  public abstract long medianValueAt(int index);

  /** How many values share a bucket, at most {@link Long#MAX_VALUE}. */
  public abstract long widthAt(int index);

  /**
   * How many counters hold the values from 0 to {@code highestTrackableValue}.
   *
   * @throws IllegalArgumentException when the value is below {@link #leastHighestValue}
   */
  public abstract int countersUpTo(long highestTrackableValue);

  void requireRange(long highestTrackableValue) {
    if (highestTrackableValue < leastHighestValue()) {
      throw new IllegalArgumentException(
          "highest trackable value must be at least "
              + leastHighestValue()
              + ": "
              + highestTrackableValue);
    }
  }

  static long widthOf(long lowest, long highest) {
    long width = highest - lowest + 1;
    return width < 0 ? Long.MAX_VALUE : width;
  }
}
