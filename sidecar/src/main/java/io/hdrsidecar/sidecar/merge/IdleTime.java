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
  private volatile Look last;

  /** How many nanoseconds were counted when somebody looked, and when that was. */
  private record Look(long countedNanos, long atNanos) {}

  IdleTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.last = new Look(0, nanoTime.getAsLong());
  }

  /**
   * Counts on. To be called about once a second.
   *
   * @param listening whether intervals could come since the last call
   */
  void look(boolean listening) {
    long now = nanoTime.getAsLong();
    Look before = last;
    last = new Look(before.countedNanos + (listening ? passed(before, now) : 0), now);
  }

  private static long passed(Look since, long now) {
    return Math.max(0, Math.min(now - since.atNanos, LONGEST_LOOK_NANOS));
  }

  /** While what was before this start is restored, its time passes as it did. */
  void set(long nanos) {
    last = new Look(nanos, last.atNanos);
  }

  /**
   * Nanoseconds counted up to now, as if somebody looked: for a writer of them that cannot say when
   * the last look was, which is long ago where a loaded machine has just started.
   */
  long nanosNow() {
    Look before = last;
    return before.countedNanos + passed(before, nanoTime.getAsLong());
  }

  /** Nanoseconds counted up to the last look. */
  long nanos() {
    return last.countedNanos;
  }
}
