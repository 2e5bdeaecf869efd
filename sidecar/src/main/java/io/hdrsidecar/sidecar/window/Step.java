package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.interval.ExactSum;

/** What was recorded in one step of a window: enough to take it out again exactly. */
final class Step {
  /** Object header, fields and the two objects they refer to. */
  private static final long OBJECT_BYTES = 104;

  private final CompactCounts counts = new CompactCounts();
  private final ExactSum sum = new ExactSum();
  private boolean sumExact = true;
  private long min = Long.MAX_VALUE;
  private long max;

  boolean isEmpty() {
    return counts.isEmpty();
  }

  void clear() {
    counts.clear();
    sum.clear();
    sumExact = true;
    min = Long.MAX_VALUE;
    max = 0;
  }

  void add(IntervalCounts interval, WindowScratch scratch) {
    counts.add(interval.counts(), scratch);
    sum.add(interval.sumHigh(), interval.sumLow());
    sumExact &= interval.isSumExact();
    min = Math.min(min, interval.min());
    max = Math.max(max, interval.max());
  }

  CompactCounts counts() {
    return counts;
  }

  ExactSum sum() {
    return sum;
  }

  boolean isSumExact() {
    return sumExact;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  long allocatedBytes() {
    return OBJECT_BYTES + counts.allocatedBytes();
  }
}
