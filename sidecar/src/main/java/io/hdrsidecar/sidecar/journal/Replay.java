package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.JournalReader;
import io.hdrsidecar.internal.journal.JournalVisitor;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.journal.JournalDirectory.Entry;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings series, windows and sequence numbers back as the journal has them.
 *
 * <p>The newest whole checkpoint gives the totals, each up to some record; the files behind it give
 * the records after. Why every interval is counted once, wherever the last run ended:
 *
 * <ul>
 *   <li>Acknowledged: its record was flushed before. It is in a total up to its number, or added
 *       from its record, never both; and no record is added twice, as numbers only rise.
 *   <li>Flushed and not acknowledged: it is counted likewise, and WELCOME tells its client so,
 *       since the sequence number comes from the same record.
 *   <li>Not flushed: neither count nor number are known here, and its client sends it again. A
 *       total cannot have it: a checkpoint counts only when all records in it are flushed.
 * </ul>
 *
 * <p>The end of a series is a record like others. What was counted before it is dropped again, be
 * it from a checkpoint or from records; a checkpoint that was made after it has nothing of that, or
 * the totals of the series that began in its place, and those stay.
 *
 * <p>Windows need the last minutes, which may lie before the checkpoint: those files are read once
 * more for the windows alone. How old an interval is, only the wall clock tells across a restart.
 * The history gets every record of the files that are read, and makes no other file be read.
 */
final class Replay implements JournalVisitor {
  private static final Logger LOG = System.getLogger(Replay.class.getName());

  /** How far clocks of clients may be ahead of ours, in milliseconds. */
  private static final long CLOCKS_APART = 10_000;

  private final JournalDirectory directory;
  private final SeriesStore store;
  private final SequenceMemory sequences;
  private final HistogramDecoder decoder;

  /** Whether queries read the journal, too. */
  private final boolean readable;

  private final JournalTail tail;
  private final long taken;
  private final long nowMillis;
  private final long oldestInWindows;

  private final WrittenTime now;
  private final ReplayedSeries replayed;
  private final CheckpointTotals totals = new CheckpointTotals();
  private final JournalTimeline timeline = new JournalTimeline();

  /** Whether the file being read was written after the checkpoint began. */
  private boolean isAfterCheckpoint = true;

  /** Every record before this one is in the checkpoint. */
  private long firstRecord = 1;

  private long lastRecord;
  private long lastOfTail;
  private long highestCovered;
  private long checkpointTotals;
  private long records;
  private long damaged;
  private long missing;
  private long tornBytes;

  Replay(JournalContext shared, HistogramDecoder decoder) {
    this.tail = shared.tail();
    this.taken = tail.taken();
    this.lastOfTail = taken;
    this.readable = shared.past() != null;
    this.directory = shared.directory();
    this.store = shared.store();
    this.sequences = shared.sequences();
    this.decoder = decoder;
    this.now = shared.clock().now();
    this.nowMillis = shared.clock().wallClock().millis();
    this.replayed = new ReplayedSeries(store);
    this.oldestInWindows =
        nowMillis
            - store.windows().stream()
                .mapToLong(window -> window.span().plus(window.step()).toMillis())
                .max()
                .orElse(0);
  }

  /** Highest number that a record or a total of the journal has; 0 for none. */
  long lastRecord() {
    return Math.max(lastRecord, highestCovered);
  }

  /** Whether there is anything that the newest checkpoint does not have. */
  boolean foundRecords() {
    return records > 0;
  }

  /** Reads everything. */
  RecoveryReport run() throws IOException {
    long startNanos = System.nanoTime();
    for (Path folder : directory.misnamedFolders()) {
      LOG.log(Level.WARNING, "event=journal_ignored file={0} problem=\"is a folder\"", folder);
    }
    readCheckpoint();
    readIntervals();
    passUntil(now);
    if (lastRecord() > lastOfTail) {
      tail.missing(lastRecord() - lastOfTail);
    }
    replayed.log();
    return new RecoveryReport(
        store.series().size(),
        checkpointTotals,
        records,
        damaged,
        missing,
        replayed.unrestoredValues(),
        tornBytes,
        Duration.ofNanos(System.nanoTime() - startNanos));
  }

  private void readCheckpoint() throws IOException {
    List<Entry> checkpoints = directory.checkpoints();
    for (int i = checkpoints.size() - 1; i >= 0; i--) {
      Entry checkpoint = checkpoints.get(i);
      if (CheckpointCheck.isWhole(checkpoint.path())) {
        firstRecord = checkpoint.firstRecord();
        lastRecord = firstRecord - 1;
        new JournalReader(checkpoint.path(), this).read();
        return;
      }
      LOG.log(
          Level.WARNING,
          "event=journal_damaged file={0} problem=\"not a whole checkpoint; the one before is"
              + " taken\"",
          checkpoint.path());
      Files.move(
          checkpoint.path(),
          checkpoint.path().resolveSibling(checkpoint.path().getFileName() + ".damaged"));
    }
  }

  private void readIntervals() throws IOException {
    List<Entry> files = directory.intervals();
    long lastSeen = 0;
    for (int i = 0; i < files.size(); i++) {
      Entry next = i + 1 < files.size() ? files.get(i + 1) : null;
      boolean isCovered = next != null && next.firstRecord() <= firstRecord;
      boolean isOld = next != null && next.createdMillis() < oldestInWindows;
      boolean isTaken = next != null && next.firstRecord() - 1 <= taken;
      if (!(isCovered && isOld && isTaken)) {
        isAfterCheckpoint = files.get(i).firstRecord() >= firstRecord;
        lastSeen = readFile(files.get(i).path(), lastSeen);
      }
    }
  }

  private long readFile(Path path, long lastSeen) throws IOException {
    replayed.beginFile();
    IntervalsOfFile intervals = new IntervalsOfFile(this, lastSeen);
    JournalReader reader = new JournalReader(path, intervals);
    reader.read();
    damaged += reader.damaged();
    if (reader.damaged() > 0) {
      LOG.log(
          Level.WARNING,
          "event=journal_damaged file={0} skipped={1}",
          path,
          String.valueOf(reader.damaged()));
    }
    if (reader.tornAt() >= 0) {
      cutOff(path, reader.tornAt());
    }
    return intervals.lastSeen();
  }

  /**
   * A record that was being written is cut off, so that other tools can read the file to its end.
   */
  private void cutOff(Path path, long size) throws IOException {
    long torn = Files.size(path) - size;
    tornBytes += torn;
    LOG.log(Level.WARNING, "event=journal_torn file={0} cut_bytes={1}", path, String.valueOf(torn));
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    } catch (IOException e) {
      // Only other tools would mind; a disk that cannot be written is reported by the writer.
      LOG.log(Level.WARNING, "event=journal_torn file={0} cause={1} it cannot be cut off", path, e);
    }
  }

  @Override
  public void interval(JournalLine line) {
    noteMissing(line.record());
    if (line.instance() != null) {
      sequences.sequence(line.instance(), line.sequence());
    }
    SeriesText text = text(line);
    if (line.record() > taken) {
      line.decode(decoder);
      tail.interval(text.definition(), line);
    }
    Series series = isInTotals(text, line.record()) ? inTotals(text, line) : added(text, line);
    if (series == null) {
      return;
    }
    if (isInWindows(line.endMillis())) {
      replayed.addToWindows(series, line);
    }
    // Not of one in an overflow series: its past is found in the journal, under its own labels, and
    // must not be found a second time under those.
    if (!readable || series.key().equals(text.definition().key())) {
      replayed.keep(series, line);
    }
  }

  private @Nullable Series added(SeriesText text, JournalLine line) {
    line.decode(decoder);
    Series series = replayed.add(text, line, 1);
    records += series == null ? 0 : 1;
    return series;
  }

  /** The series, decoded for its windows and history, if there is anything to do. */
  private @Nullable Series inTotals(SeriesText text, JournalLine line) {
    Series series = foundWithTotals(text);
    if (series == null || !(isInWindows(line.endMillis()) || store.past().isInMemory())) {
      return null;
    }
    line.decode(decoder);
    return series;
  }

  /**
   * Of what ends in the future, since the wall clock has gone back, nobody knows how old it is: a
   * window of a minute must not show an hour.
   */
  private boolean isInWindows(long endMillis) {
    return endMillis >= oldestInWindows && endMillis <= nowMillis + CLOCKS_APART;
  }

  /** Whether the checkpoint was made after this record of the series. */
  private boolean isInTotals(SeriesText text, long record) {
    return record < firstRecord || record <= totals.of(text).lastRecord();
  }

  /** The series as it is by now; one for which there is no room lives on in an overflow series. */
  private @Nullable Series foundWithTotals(SeriesText text) {
    Series series = replayed.found(text);
    return series == null ? totals.of(text).living() : series;
  }

  /**
   * Everything of this name and labels before this record is gone: from the windows, and from the
   * totals, unless those are of the series that began in its place.
   */
  @Override
  public void seriesEnd(SeriesText text, long record) {
    noteMissing(record);
    Series series = replayed.found(text);
    if (!isInTotals(text, record)) {
      replayed.ended(text, series);
      records += series == null ? 0 : 1;
    } else if (series != null) {
      store.restore().emptyWindows(series);
    }
  }

  /** All that follows was written then. All that the checkpoint has happened before it. */
  @Override
  public void time(long wallMillis, long uptimeMillis, String boot) {
    if (isAfterCheckpoint) {
      passUntil(new WrittenTime(wallMillis, uptimeMillis, boot));
    }
  }

  private void passUntil(WrittenTime time) {
    timeline.at(time);
    store.restore().at(timeline.nanos());
  }

  /** Numbers skipped behind the checkpoint are records that cannot be read, or files deleted. */
  private void noteMissing(long record) {
    if (record > lastOfTail) {
      if (record > lastOfTail + 1) {
        tail.missing(record - lastOfTail - 1);
      }
      lastOfTail = record;
    }
    if (record > lastRecord) {
      missing += record - lastRecord - 1;
      lastRecord = record;
    }
  }

  @Override
  public void total(JournalLine line) {
    SeriesText text = text(line);
    line.decode(decoder);
    Series series = replayed.add(text, line, line.sequence());
    totals.put(text, line.record(), series);
    checkpointTotals += series == null ? 0 : 1;
  }

  private static SeriesText text(JournalLine line) {
    SeriesText text = line.series();
    if (text == null) {
      throw new IllegalArgumentException("series is not defined");
    }
    return text;
  }

  @Override
  public void goodbye(InstanceId instance, long record) {
    noteMissing(record);
    sequences.goodbye(instance);
  }

  @Override
  public void sequence(InstanceId instance, long sequence, long awayMillis, boolean saidGoodbye) {
    Duration away = Duration.ofMillis(awayMillis);
    sequences.restore(instance, new RememberedInstance(sequence, away, saidGoodbye));
  }

  @Override
  public void end(long lines, long lastCovered) {
    highestCovered = lastCovered;
  }
}
