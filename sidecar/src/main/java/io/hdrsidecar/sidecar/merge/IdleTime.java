package io.hdrsidecar.sidecar.merge;

import java.util.function.LongSupplier;

/**
 * The time in which intervals could have come, which idle series are measured by: monotonic, and
 * not counted while the process was stopped or clients were not read from. So neither a wall clock
 * that is set, nor a SIGSTOP, nor a full disk makes living series look idle. One thread looks, any
 * thread may ask.
 */
final class IdleTime {
  /** A longer time between two looks was no waiting for intervals; looks come each second. */
  private static final long LONGEST_LOOK_NANOS = 10_000_000_000L;

  private final LongSupplier nanoTime;
  private long lookedAtNanos;
  private volatile long countedNanos;

  IdleTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lookedAtNanos = nanoTime.getAsLong();
  }

  /**
   * Counts on. To be called about once a second.
   *
   * @param listening whether intervals could come since the last call
   */
  void look(boolean listening) {
    long now = nanoTime.getAsLong();
    if (listening) {
      long passed = Math.max(0, Math.min(now - lookedAtNanos, LONGEST_LOOK_NANOS));
      set(countedNanos + passed);
    }
    lookedAtNanos = now;
  }

  /** While what was before this start is restored, its time passes as it did. */
  void set(long nanos) {
    countedNanos = nanos;
  }

  /** Nanoseconds counted up to the last look. */
  long nanos() {
    return countedNanos;
  }
}
