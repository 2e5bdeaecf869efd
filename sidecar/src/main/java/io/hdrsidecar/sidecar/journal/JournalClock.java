package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalFileWriter;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Writes the time into files, as often as it takes to know to a second when a record was written.
 * One thread.
 */
final class JournalClock {
  private static final long INTERVAL_MILLIS = 1000;

  private final InstantSource wallClock;
  private final Supplier<Uptime> uptime;
  private long toldMillis = Long.MIN_VALUE / 2;

  JournalClock(InstantSource wallClock, Supplier<Uptime> uptime) {
    this.wallClock = wallClock;
    this.uptime = uptime;
  }

  /** The same for another file. */
  JournalClock another() {
    return new JournalClock(wallClock, uptime);
  }

  /** The clock on the wall. */
  InstantSource wallClock() {
    return wallClock;
  }

  /** The time that it is now. */
  WrittenTime now() {
    Uptime running = uptime.get();
    return new WrittenTime(wallClock.millis(), running.millis(), running.boot());
  }

  /** Appends the time unless that was done within the last second. */
  void tellIfDue(JournalFileWriter file) {
    if (Math.abs(wallClock.millis() - toldMillis) >= INTERVAL_MILLIS) {
      tell(file);
    }
  }

  /** Appends the time. */
  void tell(JournalFileWriter file) {
    WrittenTime now = now();
    file.time(now.wallMillis(), now.uptimeMillis(), now.boot());
    toldMillis = now.wallMillis();
  }
}
