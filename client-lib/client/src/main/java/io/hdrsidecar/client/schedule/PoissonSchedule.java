package io.hdrsidecar.client.schedule;

import java.util.Random;

/**
 * Exponential gaps by inversion, added up in whole nanoseconds and a fraction below one, so that
 * precision does not fade as the sum grows. One thread at a time.
 *
 * <p>{@link Random} and {@link StrictMath} because both are specified to the last bit.
 */
final class PoissonSchedule implements Schedule {
  private final double meanGapNanos;
  private final long seed;

  private Random random;
  private long n;
  private long nanos;
  private double fraction;

  PoissonSchedule(double perSecond, long seed) {
    FixedRate.checkRate(perSecond);
    this.meanGapNanos = 1e9 / perSecond;
    this.seed = seed;
    this.random = restarted();
  }

  /** The first call comes one gap after the origin, as the process has no memory. */
  private Random restarted() {
    random = new Random(seed);
    n = -1;
    nanos = 0;
    fraction = 0;
    advance();
    return random;
  }

  private void advance() {
    double gap = fraction - meanGapNanos * StrictMath.log(1 - random.nextDouble());
    long wholeGap = (long) gap;
    nanos = Math.addExact(nanos, wholeGap);
    fraction = gap - wholeGap;
    n++;
  }

  @Override
  public long startNanos(long wanted) {
    if (wanted < n) {
      restarted();
    }
    while (n < wanted) {
      advance();
    }
    return nanos;
  }

  @Override
  public String toString() {
    return "PoissonSchedule[meanGap=" + meanGapNanos + " ns, seed=" + seed + "]";
  }
}
