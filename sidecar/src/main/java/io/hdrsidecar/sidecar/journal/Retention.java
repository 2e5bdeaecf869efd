package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.index.IndexFile;
import io.hdrsidecar.sidecar.journal.JournalDirectory.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Deletes what is too old or too much, and never what totals need. Two checkpoints are kept, so
 * that one can be damaged: a file may go only if the older of them has all its records.
 */
final class Retention {
  private static final int KEPT_CHECKPOINTS = 2;

  private final JournalDirectory directory;
  private final long maxBytes;
  private final Duration maxAge;
  private final LongSupplier taken;
  private final Consumer<Entry> onDelete;
  private int files;
  private long bytes;

  /**
   * Deletes nothing yet.
   *
   * @param taken up to which record files may go, whatever the checkpoints have
   * @param onDelete is told of each file of intervals that was deleted
   */
  Retention(
      JournalDirectory directory,
      long maxBytes,
      Duration maxAge,
      LongSupplier taken,
      Consumer<Entry> onDelete) {
    this.taken = taken;
    this.onDelete = onDelete;
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
      long needed = Math.min(kept.get(0).firstRecord() - 1, taken.getAsLong());
      deleteCovered(intervals, needed + 1, nowMillis);
    }
  }

  private void measure(List<Entry> checkpoints, List<Entry> intervals) throws IOException {
    files = checkpoints.size() + intervals.size();
    bytes = 0;
    for (Entry entry : checkpoints) {
      bytes += Files.size(entry.path());
    }
    for (Entry entry : intervals) {
      bytes += Files.size(entry.path()) + indexBytes(entry);
    }
  }

  /** A file's last record comes before the next file's first, and was written before it began. */
  private void deleteCovered(List<Entry> intervals, long covered, long nowMillis)
      throws IOException {
    for (int i = 0; i + 1 < intervals.size(); i++) {
      Entry next = intervals.get(i + 1);
      boolean isOld = nowMillis - next.createdMillis() > maxAge.toMillis();
      if (next.firstRecord() > covered || !(isOld || bytes > maxBytes)) {
        return;
      }
      Entry old = intervals.get(i);
      long size = Files.size(old.path()) + indexBytes(old);
      Files.deleteIfExists(old.path());
      Files.deleteIfExists(IndexFile.beside(old.path()));
      onDelete.accept(old);
      bytes -= size;
      files--;
    }
  }

  /** An index comes and goes with its file, at any time. */
  private static long indexBytes(Entry entry) throws IOException {
    try {
      return Files.size(IndexFile.beside(entry.path()));
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
