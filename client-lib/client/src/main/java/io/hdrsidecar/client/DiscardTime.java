package io.hdrsidecar.client;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Until when values are discarded, in wall-clock milliseconds rounded up. Any thread. */
final class DiscardTime {
  private final AtomicLong untilMillis = new AtomicLong(Long.MIN_VALUE);

  /** Discards what is recorded before this time; an earlier time than before shortens it. */
  void until(Instant time) {
    untilMillis.set(millisRoundedUp(time));
  }

  /** The same, but never shortens it. */
  void atLeastUntil(Instant time) {
    untilMillis.accumulateAndGet(millisRoundedUp(time), Math::max);
  }

  private static long millisRoundedUp(Instant time) {
    if (time.isAfter(Instant.ofEpochMilli(Long.MAX_VALUE))) {
      return Long.MAX_VALUE;
    }
    if (time.isBefore(Instant.ofEpochMilli(Long.MIN_VALUE))) {
      return Long.MIN_VALUE;
    }
    long millis = time.toEpochMilli();
    return Instant.ofEpochMilli(millis).isBefore(time) ? millis + 1 : millis;
  }

  boolean isAfter(long millis) {
    return untilMillis.get() > millis;
  }
}
