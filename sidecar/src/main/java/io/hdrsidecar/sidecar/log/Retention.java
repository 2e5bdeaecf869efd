package io.hdrsidecar.sidecar.log;

import io.hdrsidecar.sidecar.log.JournalDirectory.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * Deletes what is too old or too much, and never what totals need. Two checkpoints are kept, so
 * that one can be damaged: a file may go only if the older of them has all its records.
 */
final class Retention {
  private static final int KEPT_CHECKPOINTS = 2;

  private final JournalDirectory directory;
  private final long maxBytes;
  private final Duration maxAge;
  private int files;
  private long bytes;

  Retention(JournalDirectory directory, long maxBytes, Duration maxAge) {
    this.directory = directory;
    this.maxBytes = maxBytes;
    this.maxAge = maxAge;
  }

  /** Files left. */
  int files() {
    return files;
  }

  /** Their size. */
  long bytes() {
    return bytes;
  }

  /** Deletes what may and should go. */
  void apply(long nowMillis) throws IOException {
    List<Entry> checkpoints = directory.checkpoints();
    int surplus = Math.max(0, checkpoints.size() - KEPT_CHECKPOINTS);
    for (Entry old : checkpoints.subList(0, surplus)) {
      Files.deleteIfExists(old.path());
    }
    List<Entry> kept = checkpoints.subList(surplus, checkpoints.size());
    List<Entry> intervals = directory.intervals();
    measure(kept, intervals);
    if (kept.size() == KEPT_CHECKPOINTS) {
      deleteCovered(intervals, kept.get(0).firstRecord(), nowMillis);
    }
  }

  private void measure(List<Entry> checkpoints, List<Entry> intervals) throws IOException {
    files = checkpoints.size() + intervals.size();
    bytes = 0;
    for (Entry entry : checkpoints) {
      bytes += Files.size(entry.path());
    }
    for (Entry entry : intervals) {
      bytes += Files.size(entry.path());
    }
  }

  /** A file's last record comes before the next file's first, and was written before it began. */
  private void deleteCovered(List<Entry> intervals, long covered, long nowMillis)
      throws IOException {
    for (int i = 0; i + 1 < intervals.size(); i++) {
      Entry next = intervals.get(i + 1);
      boolean old = nowMillis - next.createdMillis() > maxAge.toMillis();
      if (next.firstRecord() > covered || !(old || bytes > maxBytes)) {
        return;
      }
      long size = Files.size(intervals.get(i).path());
      Files.deleteIfExists(intervals.get(i).path());
      bytes -= size;
      files--;
    }
  }
}
