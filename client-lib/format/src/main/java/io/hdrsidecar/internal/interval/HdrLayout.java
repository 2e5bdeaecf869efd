package io.hdrsidecar.internal.interval;

/**
 * HdrHistogram's bucket layout for a lowest discernible value and a number of significant decimal
 * digits. The index of a value takes one leading-zero count, two shifts and one addition.
 *
 * <p>Source: HdrHistogram 2.2, {@code AbstractHistogram.countsArrayIndex} and {@code
 * valueFromIndex}; the tests compare every method with it.
 */
final class HdrLayout extends BucketLayout {
  private final long lowestDiscernibleValue;
  private final int significantDigits;
  private final int unitMagnitude;
  private final int subBucketHalfCountMagnitude;
  private final int leadingZeroCountBase;
  private final long subBucketMask;

  private HdrLayout(long lowestDiscernibleValue, int significantDigits) {
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

  /** As {@link BucketLayout#of}, whose class must not name this one: see there. */
  static BucketLayout create(long lowestDiscernibleValue, int significantDigits) {
    return new HdrLayout(lowestDiscernibleValue, significantDigits);
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

  @Override
  public long lowestDiscernibleValue() {
    return lowestDiscernibleValue;
  }

  @Override
  public int significantDigits() {
    return significantDigits;
  }

  @Override
  public int indexOf(long value) {
    int bucket = leadingZeroCountBase - Long.numberOfLeadingZeros(value | subBucketMask);
    int subBucket = (int) (value >>> (bucket + unitMagnitude));
    return (bucket << subBucketHalfCountMagnitude) + subBucket;
  }

  @Override
  public long lowestValueAt(int index) {
    int bucket = bucketAt(index);
    return (long) (index - (bucket << subBucketHalfCountMagnitude)) << (bucket + unitMagnitude);
  }

  @Override
  public long highestValueAt(int index) {
    return lowestValueAt(index) + widthAt(index) - 1;
  }

  @Override
  public long medianValueAt(int index) {
    return lowestValueAt(index) + (widthAt(index) >>> 1);
  }

  @Override
  public long widthAt(int index) {
    return 1L << (bucketAt(index) + unitMagnitude);
  }

  private int bucketAt(int index) {
    return Math.max((index >> subBucketHalfCountMagnitude) - 1, 0);
  }

  @Override
  public int countersUpTo(long highestTrackableValue) {
    requireRange(highestTrackableValue);
    int buckets =
        leadingZeroCountBase - Long.numberOfLeadingZeros(highestTrackableValue | subBucketMask) + 1;
    return (buckets + 1) << subBucketHalfCountMagnitude;
  }

  @Override
  public boolean isHdr() {
    return true;
  }

  @Override
  public long leastHighestValue() {
    return 2 * lowestDiscernibleValue;
  }

  @Override
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
    return other instanceof HdrLayout that
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
