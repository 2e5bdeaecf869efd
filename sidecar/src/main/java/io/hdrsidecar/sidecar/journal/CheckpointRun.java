package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.journal.BucketsPayload;
import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.internal.journal.JournalFileWriter;
import io.hdrsidecar.internal.journal.TextBuffer;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.SeriesTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;

/**
 * A checkpoint being written, a few series at a time, while merging and flushing go on.
 *
 * <p>Each series is copied under its own lock, together with the number of the last record in it;
 * so the copies are of different moments, and each says of which. At replay a record is added to
 * its series only if its number is higher than that. Three things make that exact:
 *
 * <ol>
 *   <li>The checkpoint begins after a new file has: all records before that file were handed to the
 *       writer, so they had been merged, and every copy has them.
 *   <li>A series that is not copied, since it is newer, has no record before that file. One that
 *       has ended is not copied either; then the record of its end, which may be in that file or
 *       later, must be in the journal, too.
 *   <li>The checkpoint gets its name only when every record that is in a copy is in the journal. So
 *       no count is ever known from a checkpoint whose sequence number is not known from a record.
 * </ol>
 *
 * Writer thread only.
 */
final class CheckpointRun implements AutoCloseable {
  private static final int WRITE_BYTES = 256 << 10;

  private final Path complete;
  private final Path temporary;
  private final long firstRecord;
  private final JournalFileWriter file;
  private final Queue<Series> left;
  private final SeriesStore store;
  private final JournalClock clock;
  private final HistogramEncoder encoder;
  private final SeriesTotals totals = new SeriesTotals();
  private final JournalEntry entry = new JournalEntry();
  private long lastRecord;

  /**
   * Begins.
   *
   * @param firstRecord number of the first record of the file that was begun before
   * @param clock of this file
   */
  CheckpointRun(
      JournalDirectory directory,
      SeriesStore store,
      HistogramEncoder encoder,
      long firstRecord,
      JournalClock clock)
      throws IOException {
    Instant now = clock.wallClock().instant();
    this.store = store;
    this.clock = clock;
    this.complete = directory.checkpoint(now, firstRecord);
    this.temporary = JournalDirectory.temporary(complete);
    this.firstRecord = firstRecord;
    this.encoder = encoder;
    this.left = new ArrayDeque<>(latestFirst(store));
    this.lastRecord = store.log().lastRecord(); // Whose ends have emptied the store so far.
    this.file =
        JournalFileWriter.create(
            temporary,
            new TextBuffer(2 * WRITE_BYTES),
            now.toEpochMilli(),
            firstRecord,
            directory.permissions());
  }

  /** If the next start has less room, those that are in use find theirs before those that idle. */
  private static List<Series> latestFirst(SeriesStore store) {
    record Seen(Series series, long millis) {}

    return store.series().stream()
        .map(series -> new Seen(series, series.lastSeen().toEpochMilli()))
        .sorted(Comparator.comparingLong(Seen::millis).reversed())
        .map(Seen::series)
        .toList();
  }

  /** Copies series until they are all copied or the time is over; whether they all are. */
  boolean copyUntil(long deadlineNanos) throws IOException {
    for (Series series = left.poll(); series != null; series = left.poll()) {
      copy(series);
      if (file.unwrittenBytes() >= WRITE_BYTES) {
        file.write();
      }
      if (System.nanoTime() - deadlineNanos >= 0) {
        break;
      }
    }
    return left.isEmpty();
  }

  private void copy(Series series) {
    series.readTotals(totals);
    if (series.hasEnded()) {
      lastRecord = Math.max(lastRecord, series.endRecord());
      return;
    }
    entry.record = Math.max(totals.lastRecord(), firstRecord - 1);
    lastRecord = Math.max(lastRecord, entry.record);
    clock.tellIfDue(file);
    entry.idleMillis = store.restore().idleMillis(series);
    long intervals = totals.intervals();
    for (SeriesTotals.LayoutTotal part : totals.parts()) {
      if (part.counts().size() > 0) {
        entry.sequence = intervals;
        intervals = 0;
        copy(series, part);
      }
    }
  }

  private void copy(Series series, SeriesTotals.LayoutTotal part) {
    BucketLayout layout = part.layout();
    int last = part.counts().indexAt(part.counts().size() - 1);
    long highest = Math.max(layout.highestValueAt(last), layout.leastHighestValue());
    entry.startMillis = series.createdAt().toEpochMilli();
    entry.endMillis = series.lastSeen().toEpochMilli();
    entry.sumMinMax.set(part.sumMinMax());
    entry.payload = BucketsPayload.of(encoder, part.counts(), layout, highest);
    long configured = Math.max(part.highestTrackableValue(), highest);
    file.total(entry, LoggedSeries.of(series, layout, configured));
  }

  /** Whether all series are copied. */
  boolean isCopied() {
    return left.isEmpty();
  }

  /** The last record that any copy depends on: it must be in the journal before {@link #finish}. */
  long lastRecord() {
    return lastRecord;
  }

  /** Every record before this one is in the checkpoint. */
  long firstRecord() {
    return firstRecord;
  }

  /** Writes the sequence numbers that the journal has by now, and makes the checkpoint count. */
  void finish(JournalDirectory directory, SequenceMemory sequences) throws IOException {
    long nowMillis = clock.wallClock().millis();
    sequences.forEach(
        (id, known) ->
            file.sequence(
                id, known.lastSequence(), nowMillis, known.away().toMillis(), known.saidGoodbye()));
    file.end(lastRecord);
    file.write();
    file.force();
    file.close();
    Files.move(temporary, complete, StandardCopyOption.ATOMIC_MOVE);
    directory.force();
  }

  /** Gives an unfinished checkpoint up. */
  @Override
  public void close() throws IOException {
    file.close();
    Files.deleteIfExists(temporary);
  }
}
