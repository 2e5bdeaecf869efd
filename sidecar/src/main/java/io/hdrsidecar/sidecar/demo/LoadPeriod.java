package io.hdrsidecar.sidecar.demo;

import java.time.Duration;

/**
 * When the load begins and when it ends: after its duration on the wall, or when it is stopped.
 *
 * <p>Any thread.
 */
final class LoadPeriod {
  private final long beginNanos;
  private final long lengthNanos;
  private volatile long stoppedAfterNanos = Long.MAX_VALUE;

  /**
   * A period.
   *
   * @param beginNanos {@link System#nanoTime()} of its begin
   * @param length how long it lasts unless stopped
   */
  LoadPeriod(long beginNanos, Duration length) {
    this.beginNanos = beginNanos;
    this.lengthNanos = length.toNanos();
  }

  /** The {@link System#nanoTime()} at which so many nanoseconds will have passed. */
  long nanoTimeAfter(long offsetNanos) {
    return beginNanos + offsetNanos;
  }

  /** Ends it now; the first call counts. */
  synchronized void stop() {
    if (stoppedAfterNanos == Long.MAX_VALUE) {
      stoppedAfterNanos = System.nanoTime() - beginNanos;
    }
  }

  boolean isOver() {
    return System.nanoTime() - beginNanos >= endAfterNanos();
  }

  /** Nanoseconds passed since the begin, at most up to the end. */
  long elapsedNanos() {
    return Math.min(System.nanoTime() - beginNanos, endAfterNanos());
  }

  private long endAfterNanos() {
    return Math.min(lengthNanos, stoppedAfterNanos);
  }
}
