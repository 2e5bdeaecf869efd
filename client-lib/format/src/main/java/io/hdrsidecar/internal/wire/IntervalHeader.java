package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SumMinMax;

/**
 * When an interval was, and what it holds beside its buckets.
 *
 * @param startMillis milliseconds since the epoch
 * @param endMillis milliseconds since the epoch, not before the start
 * @param count number of values
 * @param sumMinMax their sum, minimum and maximum; referred to, not copied
 */
public record IntervalHeader(long startMillis, long endMillis, long count, SumMinMax sumMinMax) {
  /** That of a whole accumulation. */
  public static IntervalHeader of(Accumulation counts, long startMillis, long endMillis) {
    return new IntervalHeader(startMillis, endMillis, counts.count(), counts.sumMinMax());
  }
}
