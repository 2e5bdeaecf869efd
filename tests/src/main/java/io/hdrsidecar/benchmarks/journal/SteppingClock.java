package io.hdrsidecar.benchmarks.journal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that runs as fast as the intervals are merged. */
public final class SteppingClock extends Clock {
  private volatile long millis;

  /** Stands at that time. */
  public SteppingClock(long millis) {
    this.millis = millis;
  }

  /** Goes on by so much. */
  public void step(long byMillis) {
    long later = millis + byMillis;
    millis = later;
  }

  /** The same as a monotonic clock: nanoseconds since 1970. */
  public long nanos() {
    return millis * 1_000_000;
  }

  @Override
  public long millis() {
    return millis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
