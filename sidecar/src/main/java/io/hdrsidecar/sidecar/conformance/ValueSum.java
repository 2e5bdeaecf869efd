package io.hdrsidecar.sidecar.conformance;

import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values added up: buckets by their lowest value, and the exact figures. What a client was told to
 * record is one, what came of it is another; they have nothing in common but this class.
 */
final class ValueSum {
  private final TreeMap<Long, Long> buckets = new TreeMap<>();
  private long count;
  private BigInteger sum = BigInteger.ZERO;
  private long min = Long.MAX_VALUE;
  private long max;

  /** A value, so many times, in the bucket that starts at this value. */
  void add(long bucket, long value, long times) {
    buckets.merge(bucket, times, Long::sum);
    count += times;
    sum = sum.add(BigInteger.valueOf(value).multiply(BigInteger.valueOf(times)));
    widen(value, value);
  }

  /** An interval. */
  void add(IntervalContents interval) {
    interval.buckets().forEach((bucket, times) -> buckets.merge(bucket, times, Long::sum));
    count += interval.count();
    sum = sum.add(interval.sum());
    widen(interval.min(), interval.max());
  }

  private void widen(long smallest, long largest) {
    min = Math.min(min, smallest);
    max = Math.max(max, largest);
  }

  Map<Long, Long> buckets() {
    return buckets;
  }

  long count() {
    return count;
  }

  BigInteger sum() {
    return sum;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }
}
