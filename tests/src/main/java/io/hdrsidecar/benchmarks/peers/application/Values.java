package io.hdrsidecar.benchmarks.peers.application;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The latencies every application records, in this order and then again: event k is {@code
 * table()[k % SIZE]} and belongs to series {@code k % series}.
 */
public final class Values {
  /** A prime, so that each series meets every value, whatever the number of series. */
  public static final int SIZE = 65_521;

  private static final double TYPICAL_NANOS = 10e6;
  private static final double SPREAD = 0.4;
  private static final double SLOW_SHARE = 0.01;
  private static final double PARETO_SHAPE = 1.5;
  private static final double SLOWEST_NANOS = 30e9;

  private Values() {}

  /**
   * Log-normal around 10 ms, and one in a hundred slower by a factor with a Pareto distribution, at
   * most 30 s; in nanoseconds.
   */
  public static long[] table() {
    SplittableRandom random = new SplittableRandom(7);
    long[] values = new long[SIZE];
    Arrays.setAll(values, i -> next(random));
    return values;
  }

  private static long next(SplittableRandom random) {
    double nanos = TYPICAL_NANOS * Math.exp(SPREAD * random.nextGaussian());
    if (random.nextDouble() < SLOW_SHARE) {
      nanos *= 4 * Math.pow(1 - random.nextDouble(), -1 / PARETO_SHAPE);
    }
    return (long) Math.min(nanos, SLOWEST_NANOS);
  }
}
