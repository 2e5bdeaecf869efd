package io.hdrsidecar.sidecar.otlp;

import java.util.ArrayList;
import java.util.List;

/** What points of all kinds have. Filled by a reader and thrown away. One thread at a time. */
abstract class TimedPoint {
  private static final int NO_VALUE_FLAG = 1;

  final List<Attribute> attributes = new ArrayList<>();
  long startNanos;
  long timeNanos;
  long flags;

  /** Whether it says that there is no value. */
  boolean hasNoValue() {
    return (flags & NO_VALUE_FLAG) != 0;
  }

  /**
   * Its times as they are to be used: one that does not say when it was measured is of now.
   *
   * @param nowMillis since the epoch
   */
  void requireTimes(long nowMillis) throws RejectedPointException {
    if (timeNanos == 0) {
      timeNanos = nowMillis * 1_000_000;
    }
    if (timeNanos < 0 || startNanos < 0 || startNanos > timeNanos) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_POINT, "must start before it ends, and before the year 2262");
    }
  }
}
