package io.hdrsidecar.internal.interval;

import java.math.BigInteger;

/**
 * A sum of non-negative longs that does not overflow: 128 bits.
 *
 * <p>A million requests a second of 10 ms each fill 63 bits of nanoseconds in eleven days, and
 * counters live longer than that. One thread at a time.
 */
public final class ExactSum {
  private static final double TWO_TO_THE_64 = 0x1p64;

  private long high;
  private long low;

  /** Adds a value of 0 or more. */
  public void add(long value) {
    add(0, value);
  }

  /** Adds {@code high * 2^64 + low}, low taken as unsigned. */
  public void add(long addedHigh, long addedLow) {
    long sum = low + addedLow;
    high += addedHigh + (Long.compareUnsigned(sum, addedLow) < 0 ? 1 : 0);
    low = sum;
  }

  /** Adds another sum. */
  public void add(ExactSum other) {
    add(other.high, other.low);
  }

  /** Adds {@code value * times}, both 0 or more, exactly. */
  public void addProduct(long value, long times) {
    add(Math.multiplyHigh(value, times), value * times);
  }

  /** Takes away what was added before. */
  public void subtract(long takenHigh, long takenLow) {
    high -= takenHigh + (Long.compareUnsigned(low, takenLow) < 0 ? 1 : 0);
    low -= takenLow;
  }

  /** Back to zero. */
  public void clear() {
    high = 0;
    low = 0;
  }

  /** Makes this sum equal to the other. */
  public void set(ExactSum other) {
    set(other.high, other.low);
  }

  /** Makes this sum {@code newHigh * 2^64 + newLow}, low taken as unsigned. */
  public void set(long newHigh, long newLow) {
    high = newHigh;
    low = newLow;
  }

  /** Upper 64 bits. */
  public long high() {
    return high;
  }

  /** Lower 64 bits, unsigned. */
  public long low() {
    return low;
  }

  /** Nearest double, within two units in the last place. */
  public double toDouble() {
    double unsignedLow = (low >>> 1) * 2.0 + (low & 1);
    return high * TWO_TO_THE_64 + unsignedLow;
  }

  /** The exact value. */
  public BigInteger toBigInteger() {
    return BigInteger.valueOf(high).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExactSum that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high) * 31 + Long.hashCode(low);
  }

  @Override
  public String toString() {
    return toBigInteger().toString();
  }
}
