package io.hdrsidecar.client.hiccup;

/**
 * Turns the times at which a sleeper woke into hiccup times: each interval between two wake-ups
 * minus the shortest seen so far. The shortest is what sleeping costs on this machine when nothing
 * disturbs (1.06 ms for 1 ms, on Linux), so that cost is no hiccup. Measuring from wake-up to
 * wake-up leaves no moment out, the recording itself included.
 */
final class HiccupClock {
  /** Returned by {@link #wokeAt} while there is no interval yet. */
  static final long NONE = -1;

  private boolean started;
  private long lastNanos;
  private long shortestNanos = Long.MAX_VALUE;

  /**
   * Hiccup time of the interval that ends now.
   *
   * @param nanoTime on the scale of {@link System#nanoTime()}
   */
  long wokeAt(long nanoTime) {
    long interval = nanoTime - lastNanos;
    lastNanos = nanoTime;
    if (!started) {
      started = true;
      return NONE;
    }
    shortestNanos = Math.min(shortestNanos, interval);
    return interval - shortestNanos;
  }
}
