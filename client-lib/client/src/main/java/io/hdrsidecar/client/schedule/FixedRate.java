package io.hdrsidecar.client.schedule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;

/**
 * Multiples of a fraction of nanoseconds, each rounded down once.
 *
 * <p>The period is {@code whole + part / denominator} nanoseconds. With n = rounds * denominator +
 * rest, n times the period is {@code n * whole + rounds * part + rest * part / denominator}, where
 * only the last term is rounded and its factors are below the denominator.
 */
final class FixedRate implements Schedule {
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

  private final long whole;
  private final long part;
  private final long denominator;

  /** The period as a fraction, in nanoseconds. */
  private FixedRate(BigInteger numerator, BigInteger denominator) {
    BigInteger common = numerator.gcd(denominator);
    BigInteger[] period = numerator.divide(common).divideAndRemainder(denominator.divide(common));
    this.whole = period[0].longValueExact();
    this.part = period[1].longValueExact();
    this.denominator = denominator.divide(common).longValueExact();
  }

  static FixedRate of(double perSecond) {
    checkRate(perSecond);
    BigDecimal rate = BigDecimal.valueOf(perSecond).stripTrailingZeros();
    BigInteger unscaled = rate.unscaledValue();
    BigInteger power = BigInteger.TEN.pow(Math.abs(rate.scale()));
    return rate.scale() > 0
        ? new FixedRate(NANOS_PER_SECOND.multiply(power), unscaled)
        : new FixedRate(NANOS_PER_SECOND, unscaled.multiply(power));
  }

  static void checkRate(double perSecond) {
    if (!(perSecond >= 1e-9 && perSecond <= 1e9)) {
      throw new IllegalArgumentException("calls per second must be 1e-9 to 1e9: " + perSecond);
    }
  }

  static FixedRate of(long calls, Duration per) {
    if (calls <= 0 || per.compareTo(Duration.ofNanos(calls)) < 0) {
      throw new IllegalArgumentException(
          "calls must be 1 or more, and at most one a nanosecond: " + calls + " per " + per);
    }
    return new FixedRate(BigInteger.valueOf(per.toNanos()), BigInteger.valueOf(calls));
  }

  @Override
  public long startNanos(long n) {
    long rounds = n / denominator;
    long rest = n % denominator;
    long exact = Math.addExact(Math.multiplyExact(n, whole), Math.multiplyExact(rounds, part));
    return Math.addExact(exact, partOf(rest));
  }

  private long partOf(long rest) {
    long low = rest * part;
    if (low >= 0 && Math.multiplyHigh(rest, part) == 0) {
      return low / denominator;
    }
    return BigInteger.valueOf(rest)
        .multiply(BigInteger.valueOf(part))
        .divide(BigInteger.valueOf(denominator))
        .longValueExact();
  }

  @Override
  public String toString() {
    return "FixedRate[period=" + whole + "+" + part + "/" + denominator + " ns]";
  }
}
