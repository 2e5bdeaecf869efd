package io.hdrsidecar.sidecar.api;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets so many pass at once, and then one in each interval (a token bucket). One thread at a time.
 */
final class RateLimit {
  private final long intervalNanos;
  private final long fullNanos;
  private final LongSupplier nanoTime;
  private long emptyAtNanos;

  /**
   * A limit that nobody has used yet.
   *
   * @param atOnce 1 or more
   * @param interval after which one more may pass, above 0
   * @param nanoTime a clock like System::nanoTime
   */
  RateLimit(int atOnce, Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.fullNanos = atOnce * intervalNanos;
    this.nanoTime = nanoTime;
    this.emptyAtNanos = nanoTime.getAsLong() - fullNanos;
  }

  /**
   * Takes a place.
   *
   * @return 0 if there was one, or after how many nanoseconds there will be
   */
  long take() {
    long now = nanoTime.getAsLong();
    if (now - emptyAtNanos > fullNanos) {
      emptyAtNanos = now - fullNanos;
    }
    long waitNanos = intervalNanos - (now - emptyAtNanos);
    if (waitNanos > 0) {
      return waitNanos;
    }
    emptyAtNanos += intervalNanos;
    return 0;
  }
}
