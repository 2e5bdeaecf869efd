package io.hdrsidecar.testing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Edges of base-2 buckets in decimal, to 60 digits: {@code 2^(index / 2^scale)} by square roots and
 * powers of BigDecimal.
 */
public final class PowersOfTwo {
  private static final MathContext DIGITS = new MathContext(60);
  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  private final int scale;
  private final BigDecimal perUnit;
  private final BigDecimal root;

  /** Edges of a scale, in whole numbers of which a unit has so many. */
  public PowersOfTwo(int scale, long perUnit) {
    this.scale = scale;
    this.perUnit = BigDecimal.valueOf(perUnit);
    BigDecimal power = TWO;
    for (int i = 0; i < scale; i++) {
      power = power.sqrt(DIGITS);
    }
    root = power;
  }

  /** What the bucket of this index begins above, in our numbers. */
  public BigDecimal edge(long index) {
    long whole = scale <= 0 ? index << -scale : Math.floorDiv(index, 1L << scale);
    int rest = scale <= 0 ? 0 : (int) Math.floorMod(index, 1L << scale);
    BigDecimal power = rest == 0 ? BigDecimal.ONE : root.pow(rest, DIGITS);
    BigDecimal two =
        whole >= 0
            ? TWO.pow((int) whole, DIGITS)
            : BigDecimal.ONE.divide(TWO.pow((int) -whole, DIGITS), DIGITS);
    return perUnit.multiply(power, DIGITS).multiply(two, DIGITS);
  }

  /** The same as a whole number, rounded down. */
  public long floor(long index) {
    return edge(index)
        .setScale(0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  /** The bucket that a sender counts our value in: {@code edge(i) < value <= edge(i + 1)}. */
  public int indexOf(long value) {
    double log = Math.log((double) value / perUnit.doubleValue()) / Math.log(2);
    long index = (long) Math.floor(log * Math.pow(2, scale)) - 2;
    while (edge(index + 1).compareTo(BigDecimal.valueOf(value)) < 0) {
      index++;
    }
    return (int) index;
  }
}
