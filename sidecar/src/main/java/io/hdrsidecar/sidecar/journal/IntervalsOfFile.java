package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.JournalVisitor;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.InstanceId;

/**
 * Passes the records of files on in rising order. A batch whose flush failed half-way is written
 * again to the next file: the second copy of a record has no higher number than the last one seen.
 */
final class IntervalsOfFile implements JournalVisitor {
  private final JournalVisitor next;
  private long lastSeen;

  IntervalsOfFile(JournalVisitor next, long lastSeen) {
    this.next = next;
    this.lastSeen = lastSeen;
  }

  /** The highest number so far. */
  long lastSeen() {
    return lastSeen;
  }

  @Override
  public void interval(JournalLine line) {
    if (line.record() > lastSeen) {
      lastSeen = line.record();
      next.interval(line);
    }
  }

  @Override
  public void goodbye(InstanceId instance, long record) {
    if (record > lastSeen) {
      lastSeen = record;
      next.goodbye(instance, record);
    }
  }

  @Override
  public void seriesEnd(SeriesText series, long record) {
    if (record > lastSeen) {
      lastSeen = record;
      next.seriesEnd(series, record);
    }
  }

  @Override
  public void time(long wallMillis, long uptimeMillis, String boot) {
    next.time(wallMillis, uptimeMillis, boot);
  }
}
