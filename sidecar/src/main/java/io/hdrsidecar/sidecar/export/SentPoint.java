package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.sidecar.expose.ExponentialReading;
import io.hdrsidecar.sidecar.otlp.VarintCounts;

/**
 * What a series had counted since its start when a point of it was written: all that the next delta
 * point must leave out. Immutable.
 *
 * @param count number of values
 * @param timeNanos of the point, nanoseconds since the epoch
 * @param zeroCount how many values are 0
 * @param sumHigh upper 64 bits of the sum, in the unit of the series
 * @param sumLow lower 64 bits
 * @param scale of the buckets
 * @param firstIndex of the first bucket
 * @param length number of buckets
 * @param packed their counts; empty, with a length of 0, where only count and time are needed
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record SentPoint(
    long count,
    long timeNanos,
    long zeroCount,
    long sumHigh,
    long sumLow,
    int scale,
    int firstIndex,
    int length,
    byte[] packed) {
  private static final long OBJECT_BYTES = 120;

  /** Before the first point of a series. */
  static final SentPoint NONE = new SentPoint(0, 0, 0, 0, 0, 8, 0, 0, new byte[0]);

  /** What is to be remembered of a cumulative point. */
  static SentPoint cumulative(long count, long timeNanos) {
    return new SentPoint(count, timeNanos, 0, 0, 0, 8, 0, 0, NONE.packed);
  }

  /** What is to be remembered to write a difference later. */
  static SentPoint of(ExponentialReading reading, long timeNanos) {
    long[] counts = reading.counts();
    ExactSum sum = reading.sum();
    return new SentPoint(
        reading.count(),
        timeNanos,
        reading.zeroCount(),
        sum.high(),
        sum.low(),
        reading.scale(),
        reading.firstIndex(),
        counts.length,
        VarintCounts.pack(counts));
  }

  /** Takes its counts from those of a later reading, whose scale is not finer. */
  void takeFrom(long[] later, int laterScale, int laterFirst) {
    long[] counts = VarintCounts.unpack(packed, length);
    for (int i = 0; i < length; i++) {
      if (counts[i] != 0) {
        int index = ExponentialReading.coarsened(firstIndex + i, scale - laterScale);
        later[index - laterFirst] -= counts[i];
      }
    }
  }

  /** Memory that it takes. */
  long heapBytes() {
    return OBJECT_BYTES + packed.length;
  }
}
