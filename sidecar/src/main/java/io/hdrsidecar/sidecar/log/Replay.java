package io.hdrsidecar.sidecar.log;

import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.journal.JournalLine;
import io.hdrsidecar.journal.JournalReader;
import io.hdrsidecar.journal.JournalVisitor;
import io.hdrsidecar.journal.SeriesText;
import io.hdrsidecar.sidecar.log.JournalDirectory.Entry;
import io.hdrsidecar.sidecar.merge.IntervalRefusedException;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesRefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.IntervalCounts;
import io.hdrsidecar.wire.HistogramDecoder;
import io.hdrsidecar.wire.InstanceId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.IdentityHashMap;
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

  private final long nowMillis;
  private final long oldestInWindows;

  /** By the object: a file defines a series once, and comparing definitions takes long. */
  private final IdentityHashMap<SeriesText, Series> known = new IdentityHashMap<>();

  /** Likewise, of series that are only looked up: their layout may be unknown by now. */
  private final IdentityHashMap<SeriesText, Series> found = new IdentityHashMap<>();

  private final IntervalCounts counts = new IntervalCounts();
  private final CheckpointTotals totals = new CheckpointTotals();

  /** Every record before this one is in the checkpoint. */
  private long firstRecord = 1;

  private long lastRecord;
  private long highestCovered;
  private long checkpointTotals;
  private long records;
  private long damaged;
  private long missing;
  private long tornBytes;

  Replay(
      JournalDirectory directory,
      SeriesStore store,
      SequenceMemory sequences,
      HistogramDecoder decoder,
      long nowMillis,
      boolean readable) {
    this.readable = readable;
    this.directory = directory;
    this.store = store;
    this.sequences = sequences;
    this.decoder = decoder;
    this.nowMillis = nowMillis;
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
    return new RecoveryReport(
        store.series().size(),
        checkpointTotals,
        records,
        damaged,
        missing,
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
      if (!(isCovered && isOld)) {
        lastSeen = readFile(files.get(i).path(), lastSeen);
      }
    }
  }

  private long readFile(Path path, long lastSeen) throws IOException {
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

  /** What was being written is cut off, so that other tools can read the file to its end. */
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
    boolean isInTotals = isInTotals(text, line.record());
    Series series = isInTotals ? foundWithTotals(text) : series(text, text.definition());
    boolean isInWindows = isInWindows(line.endMillis());
    if (series == null || (isInTotals && !isInWindows && !store.keepsHistory())) {
      return;
    }
    line.decode(decoder);
    if (!isInTotals) {
      addToTotal(series, line, 1);
      records++;
    }
    if (isInWindows) {
      addToWindows(series, line);
    }
    if (!readable || series.key().equals(text.definition().key())) {
      keep(series, line);
    }
  }

  /**
   * Not of a series for which there is no room now: its past is found in the journal, under its own
   * labels, and must not be found a second time under those of an overflow series.
   */
  private void keep(Series series, JournalLine line) {
    store
        .restore()
        .history(
            series,
            line.histogram().layout(),
            counts(line),
            line.startMillis(),
            line.endMillis(),
            line.record());
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
    Series series = found(text);
    return series == null ? totals.of(text).living() : series;
  }

  /** The series as it is by now, if there is one. */
  private @Nullable Series found(SeriesText text) {
    Series series = found.get(text);
    if (series == null || series.hasEnded()) {
      series = store.find(text.definition().key()).orElse(null);
      if (series != null) {
        found.put(text, series);
      }
    }
    return series;
  }

  /**
   * Everything of this name and labels before this record is gone: from the windows, and from the
   * totals, unless those are of the series that began in its place.
   */
  @Override
  public void seriesEnd(SeriesText text, long record) {
    noteMissing(record);
    Series series = found(text);
    if (series == null) {
      return;
    }
    if (isInTotals(text, record)) {
      store.restore().emptyWindows(series);
    } else {
      store.restore().end(series);
      records++;
    }
  }

  /** Numbers skipped behind the checkpoint are records that cannot be read, or files deleted. */
  private void noteMissing(long record) {
    if (record > lastRecord) {
      missing += record - lastRecord - 1;
      lastRecord = record;
    }
  }

  @Override
  public void total(JournalLine line) {
    SeriesText text = text(line);
    line.decode(decoder);
    Series series = series(text, store.restore().admissible(text.definition(), line.histogram()));
    if (series != null) {
      addToTotal(series, line, line.sequence());
      totals.put(text, line.record(), series);
      checkpointTotals++;
    }
  }

  private static SeriesText text(JournalLine line) {
    SeriesText text = line.series();
    if (text == null) {
      throw new IllegalArgumentException("series is not defined");
    }
    return text;
  }

  private @Nullable Series series(SeriesText text, SeriesDefinition definition) {
    Series series = known.get(text);
    if (series == null || series.hasEnded()) {
      try {
        series = store.restore().series(definition, text.createdAt());
        known.put(text, series);
      } catch (SeriesRefusedException e) {
        series = null;
        LOG.log(
            Level.WARNING,
            "event=journal_series_refused series={0} reason={1} problem={2}",
            text.definition().key(),
            e.reason().label(),
            e.getMessage());
      }
    }
    return series;
  }

  private IntervalCounts counts(JournalLine line) {
    counts.set(
        line.histogram().counts(),
        line.sumHigh(),
        line.sumLow(),
        line.isSumExact(),
        line.min(),
        line.max());
    return counts;
  }

  private void addToTotal(Series series, JournalLine line, long intervals) {
    try {
      store.restore().total(series, line.histogram(), counts(line), intervals, line.endMillis());
    } catch (IntervalRefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private void addToWindows(Series series, JournalLine line) {
    try {
      store
          .restore()
          .windows(
              series,
              line.histogram().layout(),
              counts(line),
              line.startMillis(),
              line.endMillis());
    } catch (IntervalRefusedException e) {
      // A layout that only the windows would still know of: its totals have expired.
      LOG.log(Level.DEBUG, "event=journal_window_skipped problem={0}", e.getMessage());
    }
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
