package io.hdrsidecar.sidecar.demo;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a point in time: parks for the bulk and, where it was asked for, spins at the end.
 *
 * <p>A parked thread wakes some 60 microseconds late on Linux (its timers have a slack of 50), and
 * spinning hides that at the price of a busy core. So a caller says how long it may spin: not at
 * all where a service time is drawn at random anyway, briefly where it must be met.
 *
 * @param spinNanos nanoseconds before the point from which to spin, 0 or more
 */
record PreciseWait(long spinNanos) {
  /** Longest park, so that a stop is noticed soon also when the next call is far away. */
  private static final long LONGEST_PARK_NANOS = 100_000_000;

  /** Waits until {@link System#nanoTime()} has reached the deadline. */
  void until(long deadlineNanos) {
    until(deadlineNanos, () -> false);
  }

  /** Waits until the deadline, or until {@code cancelled}; that is noticed within 0.1 s. */
  void until(long deadlineNanos, BooleanSupplier cancelled) {
    while (!cancelled.getAsBoolean()) {
      long remaining = deadlineNanos - System.nanoTime();
      if (remaining <= 0) {
        return;
      }
      if (remaining > spinNanos) {
        LockSupport.parkNanos(Math.min(remaining - spinNanos, LONGEST_PARK_NANOS));
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
