package io.hdrsidecar.internal.interval;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Base-2 exponential buckets, one kind of {@link BucketLayout}. Their index {@code k} is bucket
 * {@code k - first + 1} here, where {@code first} is theirs of our value 1.
 *
 * <p>The bucket {@code (lo, hi]} holds our whole numbers from {@code floor(lo) + 1} to {@code
 * floor(hi)}. At fine scales many buckets between small numbers hold none; nothing is counted
 * there. No edge is kept: one is a multiplication of 128 bits, so a layout of 2^26 buckets takes no
 * more memory than one of ten.
 */
final class Base2Layout extends BucketLayout {
  static final String PREFIX = "base2:";

  private static final long MAX_VALUES_PER_UNIT = 1L << 40;
  private static final Pattern TEXT = Pattern.compile("base2:scale=(-?\\d{1,2}),per=(\\d{1,13})");

  private final int scale;
  private final long valuesPerUnit;
  private final long first;
  private final int last;

  private Base2Layout(int scale, long valuesPerUnit) {
    if (scale < MIN_BASE2_SCALE || scale > MAX_BASE2_SCALE) {
      throw new IllegalArgumentException(
          "scale must be " + MIN_BASE2_SCALE + ".." + MAX_BASE2_SCALE + ": " + scale);
    }
    if (valuesPerUnit < 1 || valuesPerUnit > MAX_VALUES_PER_UNIT) {
      throw new IllegalArgumentException(
          "values per unit must be 1.." + MAX_VALUES_PER_UNIT + ": " + valuesPerUnit);
    }
    this.scale = scale;
    this.valuesPerUnit = valuesPerUnit;
    this.first = theirIndexOf(1);
    this.last = (int) (theirIndexOf(Long.MAX_VALUE) - first + 1);
  }

  /** As {@link BucketLayout#base2}. */
  static BucketLayout create(int scale, long valuesPerUnit) {
    return new Base2Layout(scale, valuesPerUnit);
  }

  static BucketLayout read(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not base-2 buckets: " + text);
    }
    return create(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)));
  }

  /** {@code floor(2^(k/2^scale))} in our numbers: what their bucket {@code k} begins above. */
  private long edge(long k) {
    return scale <= 0
        ? RootsOfTwo.floorOfProduct(valuesPerUnit, k << -scale, 0)
        : RootsOfTwo.floorOfProduct(valuesPerUnit, k >> scale, fraction(k));
  }

  private int fraction(long k) {
    int within = (int) (k & ((1L << scale) - 1));
    return within << (RootsOfTwo.FRACTION_BITS - scale);
  }

  /** Their bucket of our value, 1 or more. A logarithm tells it but for one up or down. */
  private long theirIndexOf(long value) {
    double exponent = Math.log((double) value / valuesPerUnit) / Math.log(2);
    long k = (long) Math.ceil(Math.scalb(exponent, scale)) - 1;
    while (edge(k) >= value) {
      k--;
    }
    while (edge(k + 1) < value) {
      k++;
    }
    return k;
  }

  @Override
  public int base2IndexOf(int otlpIndex) {
    long k = Math.max(otlpIndex, first);
    long below = edge(k);
    if (below == Long.MAX_VALUE || k - first + 1 >= last) {
      return last;
    }
    return edge(k + 1) > below ? (int) (k - first + 1) : indexOf(below + 1);
  }

  @Override
  public int base2Scale() {
    return scale;
  }

  @Override
  public int indexOf(long value) {
    return value == 0 ? 0 : (int) (theirIndexOf(value) - first + 1);
  }

  @Override
  public long lowestValueAt(int index) {
    if (index == 0) {
      return 0;
    }
    long below = edge(first + index - 1);
    return below == Long.MAX_VALUE ? below : below + 1;
  }

  @Override
  public long highestValueAt(int index) {
    return index == 0 ? 0 : edge(first + index);
  }

  /** Their geometric mean, which is as far from the one edge as from the other, in percent. */
  @Override
  public long medianValueAt(int index) {
    long lowest = lowestValueAt(index);
    long highest = highestValueAt(index);
    long mean = Math.round(Math.sqrt((double) lowest) * Math.sqrt((double) highest));
    return Math.max(lowest, Math.min(mean, highest));
  }

  @Override
  public long widthAt(int index) {
    return Math.max(0, widthOf(lowestValueAt(index), highestValueAt(index)));
  }

  @Override
  public int countersUpTo(long highestTrackableValue) {
    requireRange(highestTrackableValue);
    return indexOf(highestTrackableValue) + 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Base2Layout that
        && scale == that.scale
        && valuesPerUnit == that.valuesPerUnit;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(valuesPerUnit) * 31 + scale;
  }

  @Override
  public String toString() {
    return PREFIX + "scale=" + scale + ",per=" + valuesPerUnit;
  }
}
