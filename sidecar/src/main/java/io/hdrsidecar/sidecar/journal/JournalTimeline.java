package io.hdrsidecar.sidecar.journal;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the time from record to record while a journal is read. It only goes on: by the uptime
 * while the machine runs, whatever is done to the wall clock; over a start of the machine by how
 * far the wall clock has come beyond all it had shown. So a clock that goes back and forth counts
 * no time twice. One thread.
 */
final class JournalTimeline {
  private @Nullable WrittenTime last;
  private long highestWallMillis = Long.MIN_VALUE;
  private long millis;

  /** All that follows was written then. */
  void at(WrittenTime time) {
    WrittenTime before = last;
    if (before != null) {
      long passed =
          time.isOfTheSameStart(before)
              ? time.uptimeMillis() - before.uptimeMillis()
              : time.wallMillis() - highestWallMillis;
      if (passed < 0 && time.isOfTheSameStart(before)) {
        return; // A file is begun before the checkpoint, which is read first.
      }
      millis += Math.max(0, passed);
    }
    last = time;
    highestWallMillis = Math.max(highestWallMillis, time.wallMillis());
  }

  /** From the first time that was told to the last. */
  long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
