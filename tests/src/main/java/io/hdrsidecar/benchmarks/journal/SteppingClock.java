package io.hdrsidecar.benchmarks.journal;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that runs as fast as the intervals are merged. */
public final class SteppingClock implements InstantSource {
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
}
