package io.hdrsidecar.sidecar.merge;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** A wall clock and a monotonic one that move together, until the wall clock is set. */
public final class HandTurnedClock implements InstantSource, LongSupplier {
  private long wallMillis = 1_700_000_000_000L;
  private long nanos = -5_000_000_000L; // System.nanoTime() may be negative

  public void advance(Duration time) {
    wallMillis += time.toMillis();
    nanos += time.toNanos();
  }

  /** As NTP or an operator would do. */
  public void jumpWallClock(Duration by) {
    wallMillis += by.toMillis();
  }

  @Override
  public long getAsLong() {
    return nanos;
  }

  /** Without an object, as the system's: tests count bytes allocated. */
  @Override
  public long millis() {
    return wallMillis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(wallMillis);
  }
}
