package io.hdrsidecar.sidecar.log;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the time from record to record while a journal is read, over restarts and starts of the
 * machine. It only goes on. One thread.
 */
final class JournalTimeline {
  private @Nullable WrittenTime last;
  private long millis;

  /** What follows was written then. */
  void at(WrittenTime time) {
    WrittenTime before = last;
    if (before == null) {
      last = time;
    } else if (!time.isBefore(
        before)) { // A file is begun before the checkpoint that is read first.
      millis += before.millisTo(time);
      last = time;
    }
  }

  /** From the first time that was told to the last. */
  long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
