package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.Accumulation;

/**
 * What travels beside the buckets of an interval, since HdrHistogram's encoding carries none of it.
 *
 * @param startMillis milliseconds since the epoch
 * @param endMillis milliseconds since the epoch, not before the start
 * @param count number of values
 * @param sumHigh upper 64 bits of their sum
 * @param sumLow lower 64 bits, unsigned
 * @param min smallest value
 * @param max largest value
 */
public record IntervalFigures(
    long startMillis, long endMillis, long count, long sumHigh, long sumLow, long min, long max) {
  /** The figures of a whole accumulation. */
  public static IntervalFigures of(Accumulation counts, long startMillis, long endMillis) {
    return new IntervalFigures(
        startMillis,
        endMillis,
        counts.count(),
        counts.sum().high(),
        counts.sum().low(),
        counts.min(),
        counts.max());
  }
}
