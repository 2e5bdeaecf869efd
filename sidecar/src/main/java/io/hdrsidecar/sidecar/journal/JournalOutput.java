package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.internal.journal.JournalFileWriter;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.internal.journal.TextBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The files that batches go to, one after the other.
 *
 * <p>A failed write leaves a file in an unknown state. It is cut back to its last flush as far as
 * possible and not written again; all that was not flushed goes to the next file. So a record may
 * stand in two files, and replay takes the first. Writer thread only.
 */
final class JournalOutput {
  private final JournalConfig config;
  private final JournalLimits limits;
  private final LongSupplier livingBytes;
  private final JournalDirectory directory;
  private final JournalClock clock;
  private final JournalHealth health;
  private final @Nullable JournalPast past;
  private final UnflushedLines unflushed = new UnflushedLines();
  private final TextBuffer text;
  private final JournalEntry entry = new JournalEntry();
  private @Nullable JournalFileWriter file;
  private long firstRecord;
  private long openedNanos;
  private long flushedSize;
  private long emptySize;

  /**
   * No file yet.
   *
   * @param livingBytes {@link JournalFileWriter#definedBytes} of the series that live
   */
  JournalOutput(JournalContext shared, LongSupplier livingBytes) {
    this.past = shared.past();
    this.config = shared.config();
    this.limits = shared.limits();
    this.livingBytes = livingBytes;
    this.text = new TextBuffer(2 * Math.max(64 << 10, limits.writeBytes()));
    this.directory = shared.directory();
    this.clock = shared.clock().another();
    this.health = shared.health();
  }

  /** First record of the open file. */
  long firstRecord() {
    return firstRecord;
  }

  /** Whether the file is large or old enough, in memory as well, to be followed by another. */
  boolean isRotationDue() {
    JournalFileWriter open = file;
    return open != null
        && flushedSize > emptySize
        && (flushedSize >= config.rotateBytes()
            || System.nanoTime() - openedNanos >= config.rotateAge().toNanos()
            || (past != null && open.lines() > limits.lines())
            || hasTooManyDefinitions(open));
  }

  /** Besides those of living series, which the next file would have as well. */
  private boolean hasTooManyDefinitions(JournalFileWriter open) {
    return open.definedBytes() > limits.definedBytes() + 2 * livingBytes.getAsLong();
  }

  /** Begins a file whose records start with this number, unless one is open. */
  JournalFileWriter open(long nextRecord) throws IOException {
    JournalFileWriter open = file;
    if (open == null) {
      directory.claim();
      Instant now = clock.wallClock().instant();
      Path path = directory.intervals(now, nextRecord);
      open = create(path, now, nextRecord);
      file = open;
      firstRecord = nextRecord;
      emptySize = open.size();
      flushedSize = emptySize;
      openedNanos = System.nanoTime();
      if (past != null) {
        past.begin(path, nextRecord, now);
      }
    }
    return open;
  }

  private JournalFileWriter create(Path path, Instant now, long nextRecord) throws IOException {
    try {
      JournalFileWriter created =
          JournalFileWriter.create(
              path, text, now.toEpochMilli(), nextRecord, directory.permissions());
      if (config.fsync()) {
        created.force();
        directory.force();
      }
      return created;
    } catch (IOException e) {
      deleteQuietly(path); // Nothing is in it, and each attempt would leave another.
      throw e;
    }
  }

  private void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      health.note("cannot delete " + path, e);
    }
  }

  /** Writes and flushes all of them. */
  void write(List<Batch> batches, long nextRecord) throws IOException {
    JournalFileWriter open = open(nextRecord);
    if (flushedSize == emptySize) {
      clock.tell(open);
    } else {
      clock.tellIfDue(open);
    }
    for (Batch batch : batches) {
      write(batch, open);
    }
    open.write();
    if (config.fsync()) {
      open.force();
    }
    health.flushed(open.size() - flushedSize);
    flushedSize = open.size();
    if (past != null) {
      past.flushed(unflushed);
    }
  }

  private void write(Batch batch, JournalFileWriter open) throws IOException {
    batch.rewind();
    while (batch.read(entry)) {
      JournalSeries series = batch.series();
      if (series == null) {
        open.goodbye(entry.record, batch.sender());
      } else if (entry.sequence == Batch.SERIES_END) {
        open.seriesEnd(entry.record, series);
      } else {
        open.interval(entry, series, batch.sender());
      }
      note(series, open);
      if (open.unwrittenBytes() >= limits.writeBytes()) {
        open.write();
      }
    }
  }

  private void note(@Nullable JournalSeries series, JournalFileWriter open) {
    if (past != null) {
      if (series == null || entry.sequence == Batch.SERIES_END) {
        unflushed.other(entry.record);
      } else {
        unflushed.interval(series, open, entry);
      }
    }
  }

  /** Makes everything in the open file last, whatever is configured. */
  void force() throws IOException {
    JournalFileWriter open = file;
    if (open != null) {
      open.force();
    }
  }

  /** Ends the file; the next write begins another. */
  void close() throws IOException {
    JournalFileWriter open = file;
    file = null;
    if (open != null) {
      boolean isEmpty = flushedSize == emptySize;
      try (open) {
        open.force();
      } finally {
        ended(isEmpty);
      }
      if (isEmpty) {
        Files.deleteIfExists(open.path());
      }
    }
  }

  /** The file is as long as its last flush made it. */
  private void ended(boolean isEmpty) {
    if (past != null && isEmpty) {
      past.dropped();
    } else if (past != null) {
      past.complete();
    }
  }

  /** Gives the file up after a failure; the rest of a failed write would confuse other readers. */
  void giveUp() {
    JournalFileWriter open = file;
    file = null;
    unflushed.clear();
    if (open == null) {
      return;
    }
    boolean isEmpty = flushedSize == emptySize;
    boolean isCut = false;
    try (open) {
      open.truncate(flushedSize);
      isCut = true;
    } catch (IOException e) {
      health.note("cannot cut " + open.path() + " back to its last flush", e);
    }
    if (isEmpty) {
      deleteQuietly(open.path());
    }
    if (isCut || isEmpty) {
      ended(isEmpty);
    } else if (past != null) {
      past.uncertain();
    }
  }
}
