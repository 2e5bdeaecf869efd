package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Where intervals lie on the clock of the windows: at {@code monotonic now - (wall now - end)}.
 * Only an interval's age is taken from the wall clock, so a jump of that clock can misplace the
 * intervals on their way and no others. An end in the future counts as now.
 */
final class IntervalClock {
  /** 139 years: longer spans of time say nothing more, and fit in nanoseconds. */
  private static final long MAX_MILLIS = 1L << 42;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final InstantSource wallClock;
  private final LongSupplier nanoTime;
  private final long originNanos;
  private final Instant begunAt;

  IntervalClock(InstantSource wallClock, LongSupplier nanoTime) {
    this.wallClock = wallClock;
    this.nanoTime = nanoTime;
    this.originNanos = nanoTime.getAsLong();
    this.begunAt = wallClock.instant();
  }

  /** When this was made, by the wall clock. */
  Instant begunAt() {
    return begunAt;
  }

  /** Nanoseconds since this was made; monotonic, 0 or more. */
  long nowNanos() {
    return nanoTime.getAsLong() - originNanos;
  }

  /** Milliseconds since the epoch, by the wall clock. */
  long wallMillis() {
    return wallClock.millis();
  }

  /** Now, by the wall clock. */
  Instant wallTime() {
    return wallClock.instant();
  }

  /** Says where an interval lies. */
  void place(
      IntervalCounts interval, long startMillis, long endMillis, long nowNanos, long wallMillis) {
    interval.place(
        nowNanos - millisBetween(endMillis, wallMillis) * NANOS_PER_MILLI,
        millisBetween(startMillis, endMillis) * NANOS_PER_MILLI);
  }

  /** From one time to a later one; 0 if it is not later. The subtraction may overflow. */
  private static long millisBetween(long from, long to) {
    if (to <= from) {
      return 0;
    }
    long millis = to - from;
    return millis < 0 ? MAX_MILLIS : Math.min(millis, MAX_MILLIS);
  }
}
