package io.hdrsidecar.internal.interval;

/**
 * Where a value is counted: HdrHistogram's bucket layout for a lowest discernible value and a
 * number of significant decimal digits.
 *
 * <p>Two histograms with equal layouts add bucket by bucket without loss, whatever their highest
 * trackable values are; that is why the highest value is not part of a layout. Bucket {@code i}
 * covers the values from {@link #lowestValueAt} to {@link #highestValueAt}, both included. The
 * index of a value takes one leading-zero count, two shifts and one addition. Immutable.
 *
 * <p>Source: HdrHistogram 2.2, {@code AbstractHistogram.countsArrayIndex} and {@code
 * valueFromIndex}; the tests compare every method with it.
 */
public final class BucketLayout {
  /** Most significant digits a layout can keep apart. */
  public static final int MAX_SIGNIFICANT_DIGITS = 5;

  private final long lowestDiscernibleValue;
  private final int significantDigits;
  private final int unitMagnitude;
  private final int subBucketHalfCountMagnitude;
  private final int leadingZeroCountBase;
  private final long subBucketMask;

  private BucketLayout(long lowestDiscernibleValue, int significantDigits) {
    if (lowestDiscernibleValue < 1) {
      throw new IllegalArgumentException(
          "lowest discernible value must be at least 1: " + lowestDiscernibleValue);
    }
    if (significantDigits < 0 || significantDigits > MAX_SIGNIFICANT_DIGITS) {
      throw new IllegalArgumentException(
          "significant digits must be 0.." + MAX_SIGNIFICANT_DIGITS + ": " + significantDigits);
    }
    this.lowestDiscernibleValue = lowestDiscernibleValue;
    this.significantDigits = significantDigits;
    this.unitMagnitude = unitMagnitude(lowestDiscernibleValue);
    int subBucketCountMagnitude = subBucketCountMagnitude(significantDigits);
    if (subBucketCountMagnitude + unitMagnitude > 62) {
      throw new IllegalArgumentException(
          significantDigits
              + " significant digits cannot be kept above a lowest discernible value of "
              + lowestDiscernibleValue);
    }
    this.subBucketHalfCountMagnitude = subBucketCountMagnitude - 1;
    this.leadingZeroCountBase = 64 - unitMagnitude - subBucketCountMagnitude;
    this.subBucketMask = ((1L << subBucketCountMagnitude) - 1) << unitMagnitude;
  }

  /**
   * The layout for these two settings.
   *
   * @param lowestDiscernibleValue at least 1; smaller values share a bucket with 0
   * @param significantDigits 0 to 5
   * @throws IllegalArgumentException when a setting is out of range, or both together need more
   *     than 62 bits
   */
  public static BucketLayout of(long lowestDiscernibleValue, int significantDigits) {
    return new BucketLayout(lowestDiscernibleValue, significantDigits);
  }

  /**
   * HdrHistogram's own expression, floating point and all: for a value just below 2^k, k from 48
   * on, it gives k and not k - 1, and a layout that disagrees with the writer of the counts is
   * wrong.
   */
  private static int unitMagnitude(long lowestDiscernibleValue) {
    return (int) (Math.log((double) lowestDiscernibleValue) / Math.log(2));
  }

  /** Single units stay apart up to 2 * 10^digits; sub-buckets are the next power of two. */
  private static int subBucketCountMagnitude(int significantDigits) {
    long singleUnitUpTo = 2;
    for (int i = 0; i < significantDigits; i++) {
      singleUnitUpTo *= 10;
    }
    return 64 - Long.numberOfLeadingZeros(singleUnitUpTo - 1);
  }

  /** Smallest difference kept apart, in the unit of the values. */
  public long lowestDiscernibleValue() {
    return lowestDiscernibleValue;
  }

  /** Decimal digits kept apart at any magnitude, 0 to 5. */
  public int significantDigits() {
    return significantDigits;
  }

  /**
   * The bucket that counts a value.
   *
   * @param value 0 or more; a negative value gives a meaningless result (callers clamp first)
   */
  public int indexOf(long value) {
    int bucket = leadingZeroCountBase - Long.numberOfLeadingZeros(value | subBucketMask);
    int subBucket = (int) (value >>> (bucket + unitMagnitude));
    return (bucket << subBucketHalfCountMagnitude) + subBucket;
  }

  /** Lowest value counted in a bucket. */
  public long lowestValueAt(int index) {
    int bucket = bucketAt(index);
    return (long) (index - (bucket << subBucketHalfCountMagnitude)) << (bucket + unitMagnitude);
  }

  /** Highest value counted in a bucket. */
  public long highestValueAt(int index) {
    return lowestValueAt(index) + widthAt(index) - 1;
  }

  /** The value in the middle of a bucket, as HdrHistogram uses it for means. */
  public long medianValueAt(int index) {
    return lowestValueAt(index) + (widthAt(index) >>> 1);
  }

  /** How many values share a bucket. */
  public long widthAt(int index) {
    return 1L << (bucketAt(index) + unitMagnitude);
  }

  private int bucketAt(int index) {
    return Math.max((index >> subBucketHalfCountMagnitude) - 1, 0);
  }

  /**
   * How many counters hold the values from 0 to {@code highestTrackableValue}; HdrHistogram's
   * {@code countsArrayLength}.
   *
   * @throws IllegalArgumentException when the value is below twice the lowest discernible value
   */
  public int countersUpTo(long highestTrackableValue) {
    requireRange(highestTrackableValue);
    int buckets =
        leadingZeroCountBase - Long.numberOfLeadingZeros(highestTrackableValue | subBucketMask) + 1;
    return (buckets + 1) << subBucketHalfCountMagnitude;
  }

  void requireRange(long highestTrackableValue) {
    if (highestTrackableValue / 2 < lowestDiscernibleValue) {
      throw new IllegalArgumentException(
          "highest trackable value must be at least twice the lowest discernible value "
              + lowestDiscernibleValue
              + ": "
              + highestTrackableValue);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BucketLayout that
        && lowestDiscernibleValue == that.lowestDiscernibleValue
        && significantDigits == that.significantDigits;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(lowestDiscernibleValue) * 31 + significantDigits;
  }

  @Override
  public String toString() {
    return "lowest=" + lowestDiscernibleValue + ",digits=" + significantDigits;
  }
}
