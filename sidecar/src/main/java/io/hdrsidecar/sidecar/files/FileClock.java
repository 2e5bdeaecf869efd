package io.hdrsidecar.sidecar.files;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The time at which what is in the files happened: while they are read that of the interval just
 * read, and from then on that of the last one. So nothing that asks for the time finds that all of
 * it was long ago.
 */
final class FileClock implements InstantSource {
  private volatile long millis;
  private volatile long latest = Long.MIN_VALUE;

  void set(long toMillis) {
    millis = toMillis;
    latest = Math.max(latest, toMillis);
  }

  /** Stands still at the latest time there was. */
  void stop() {
    millis = latest == Long.MIN_VALUE ? millis : latest;
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
