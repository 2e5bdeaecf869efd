package io.hdrsidecar.internal.interval;

import java.math.BigInteger;

/**
 * Powers of two with broken exponents, to 126 bits: {@code floor(factor * 2^(n / 2^20))}.
 *
 * <p>The edges of base-2 buckets are irrational, but for powers of two themselves, which values of
 * programs often are. Floating point has no place for their difference to the next whole number of
 * nanoseconds, which has 63 bits. So a fraction is looked up in two tables of 1024, one for each
 * ten of its bits, as numbers of 128 bits, which are multiplied. Powers of two come out exact. All
 * other edges are irrational and wrong by less than 2^-60: none of those 2^20 for each doubling is
 * known to lie so near to a whole number, and by chance one in 10^10 layouts would have one.
 */
final class RootsOfTwo {
  /** Fractions of an exponent have so many bits. */
  static final int FRACTION_BITS = 20;

  private static final int HALF_BITS = FRACTION_BITS / 2;
  private static final int TABLE = 1 << HALF_BITS;
  private static final int TABLE_MASK = TABLE - 1;

  /** Of the numbers from which the tables are made. */
  private static final int PRECISION = 256;

  /** Behind the point, of the numbers in the tables, which are from 1 to 2. */
  private static final int FIXED_POINT = 127;

  /** Upper and lower 64 bits of 2^(i/2^10). */
  private static final long[] COARSE_HIGH = new long[TABLE];

  private static final long[] COARSE_LOW = new long[TABLE];

  /** Of 2^(i/2^20). */
  private static final long[] FINE_HIGH = new long[TABLE];

  private static final long[] FINE_LOW = new long[TABLE];

  static {
    BigInteger root = BigInteger.TWO.shiftLeft(PRECISION);
    for (int i = 0; i < HALF_BITS; i++) {
      root = root.shiftLeft(PRECISION).sqrt();
    }
    fill(root, COARSE_HIGH, COARSE_LOW);
    for (int i = 0; i < HALF_BITS; i++) {
      root = root.shiftLeft(PRECISION).sqrt();
    }
    fill(root, FINE_HIGH, FINE_LOW);
  }

  private RootsOfTwo() {}

  private static void fill(BigInteger root, long[] high, long[] low) {
    BigInteger power = BigInteger.ONE.shiftLeft(PRECISION);
    for (int i = 0; i < TABLE; i++) {
      BigInteger fixed = power.shiftRight(PRECISION - FIXED_POINT);
      high[i] = fixed.shiftRight(Long.SIZE).longValue();
      low[i] = fixed.longValue();
      power = power.multiply(root).shiftRight(PRECISION);
    }
  }

  /**
   * {@code factor * 2^(whole + fraction / 2^20)}, rounded down, and at most {@link Long#MAX_VALUE}.
   *
   * @param factor 1 to 2^40
   * @param fraction 0 to 2^20 - 1
   */
  static long floorOfProduct(long factor, long whole, int fraction) {
    int coarse = fraction >>> HALF_BITS;
    int fine = fraction & TABLE_MASK;
    long high = COARSE_HIGH[coarse];
    long low = COARSE_LOW[coarse];
    if (fine != 0) {
      long otherHigh = FINE_HIGH[fine];
      long top = unsignedHigh(high, otherHigh);
      long bottom = high * otherHigh;
      long cross = unsignedHigh(high, FINE_LOW[fine]);
      bottom += cross;
      top += Long.compareUnsigned(bottom, cross) < 0 ? 1 : 0;
      cross = unsignedHigh(low, otherHigh);
      bottom += cross;
      top += Long.compareUnsigned(bottom, cross) < 0 ? 1 : 0;
      high = top << 1 | bottom >>> 63; // two places before the point have become one again
      low = bottom << 1;
    }
    long middle = unsignedHigh(low, factor);
    long more = high * factor;
    middle += more;
    long most = unsignedHigh(high, factor) + (Long.compareUnsigned(middle, more) < 0 ? 1 : 0);
    return shifted(most, middle, FIXED_POINT - whole);
  }

  /** Of 192 bits, of which the lowest 64 do not matter, moved to the right. */
  private static long shifted(long most, long middle, long places) {
    if (places >= 3 * Long.SIZE) {
      return 0;
    }
    if (places >= 2 * Long.SIZE) {
      return most >>> (places - 2 * Long.SIZE);
    }
    if (places <= Long.SIZE) {
      return places == Long.SIZE && most == 0 && middle >= 0 ? middle : Long.MAX_VALUE;
    }
    int shift = (int) (places - Long.SIZE);
    long result = middle >>> shift | most << (Long.SIZE - shift);
    return most >>> shift != 0 || result < 0 ? Long.MAX_VALUE : result;
  }

  private static long unsignedHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
  }
}
