package io.hdrsidecar.internal.send;

/** When to sample: at a fixed rate from the start, so that lateness does not add up. */
final class SampleSchedule {
  private final long intervalNanos;
  private long next;

  SampleSchedule(long startNanos, long intervalNanos) {
    this.intervalNanos = intervalNanos;
    this.next = startNanos + intervalNanos;
  }

  boolean isDue(long now) {
    return now - next >= 0;
  }

  /** The next time, by the ticker. */
  long next() {
    return next;
  }

  /** To the first time of the schedule after now; times slept through give one interval, longer. */
  void advance(long now) {
    next += intervalNanos;
    if (isDue(now)) {
      next += (now - next) / intervalNanos * intervalNanos + intervalNanos;
    }
  }
}
