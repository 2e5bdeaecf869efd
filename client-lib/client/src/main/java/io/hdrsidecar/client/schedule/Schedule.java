package io.hdrsidecar.client.schedule;

import java.time.Duration;

/**
 * When calls are meant to start, whatever the calls before them did: an open load.
 *
 * <p>Write your own as a lambda, for example for a recorded trace: {@code n -> trace[(int) n]}. An
 * {@link OpenLoad} asks it on the thread that runs it, in ascending order; what it throws ends the
 * run.
 */
@FunctionalInterface
public interface Schedule {
  /**
   * When the n-th call is meant to start.
   *
   * @param n 0, 1, 2, ...
   * @return nanoseconds after the origin of the schedule, not below those of n - 1
   * @throws ArithmeticException when the start lies more than 292 years after the origin, where
   *     nanoseconds in a long end
   */
  long startNanos(long n);

  /**
   * Equally spaced starts. The rate is taken as the decimal number Java prints for it, and every
   * start is that number's exact multiple, rounded down to a nanosecond: no drift, however long it
   * runs. Any thread.
   *
   * @param perSecond more than 0 and at most 1e9, such as {@code 0.5} for every other second
   * @throws IllegalArgumentException when it is not
   */
  static Schedule fixedRate(double perSecond) {
    return FixedRate.of(perSecond);
  }

  /**
   * Equally spaced starts, such as 1,000 per minute; as exact as {@link #fixedRate(double)}, for
   * rates that no decimal number hits. Any thread.
   *
   * @param calls more than 0
   * @param per more than 0
   * @throws IllegalArgumentException when one is not, or there is more than one call a nanosecond
   */
  static Schedule fixedRate(long calls, Duration per) {
    return FixedRate.of(calls, per);
  }

  /**
   * Starts of callers who know nothing of each other: a Poisson process, with exponentially
   * distributed gaps. The same seed gives the same starts on every JVM.
   *
   * <p>One thread at a time. Each start follows from the one before, so asking in ascending order
   * costs one step each; asking for an earlier one starts over from the first.
   *
   * @param perSecond mean rate, more than 0 and at most 1e9
   * @throws IllegalArgumentException when it is not
   */
  static Schedule poisson(double perSecond, long seed) {
    return new PoissonSchedule(perSecond, seed);
  }
}
