package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.StoreRestore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From what the journal has of a series to the series in the store, while it is replayed. Where the
 * store has no room for all that it had, what is left out is counted; the journal keeps it. One
 * thread.
 */
final class ReplayedSeries {
  private static final Logger LOG = System.getLogger(ReplayedSeries.class.getName());

  /** So few that have ended are not worth looking for. */
  private static final int FEW_ENDED = 16;

  private final SeriesStore store;
  private final StoreRestore restore;
  private final IntervalCounts counts = new IntervalCounts();

  /** By the object: a file defines a series once, and comparing definitions takes long. */
  private final IdentityHashMap<SeriesText, Series> known = new IdentityHashMap<>();

  /** Likewise, of series that are only looked up: their layout may be unknown by now. */
  private final IdentityHashMap<SeriesText, Series> found = new IdentityHashMap<>();

  /** Of these something was left out: a part of a series would be taken for all of it. */
  private final Set<SeriesKey> leftOut = new HashSet<>();

  private long endedSinceSweep;
  private long unrestoredValues;
  private long unrestoredIntervals;

  ReplayedSeries(SeriesStore store) {
    this.store = store;
    this.restore = store.restore();
  }

  /** Another file begins: what the one before called its series means nothing now. */
  void beginFile() {
    known.clear();
    found.clear();
  }

  /** Values left out of the counts since start, as there was no room for them. */
  long unrestoredValues() {
    return unrestoredValues + restore.lostValues();
  }

  /**
   * Adds a decoded line to the counts since start.
   *
   * @param intervals how many it has
   * @return where it was added; null when there is no room
   */
  @Nullable Series add(SeriesText text, JournalLine line, long intervals) {
    SeriesDefinition definition = restore.admissible(text.definition(), line.histogram());
    Series series = leftOut.contains(definition.key()) ? null : series(text, definition);
    if (series == null || !isAdded(series, line, intervals)) {
      leaveOut(definition.key(), series, line, intervals);
      return null;
    }
    return series;
  }

  private @Nullable Series series(SeriesText text, SeriesDefinition definition) {
    Series series = known.get(text);
    if (series == null || series.hasEnded()) {
      try {
        series = restore.series(definition, text.createdAt());
        known.put(text, series);
      } catch (RefusedException e) {
        LOG.log(
            Level.WARNING,
            "event=journal_series_refused series={0} reason={1} problem={2}",
            text.definition().key(),
            e.reason().label(),
            e.getMessage());
        return null;
      }
    }
    return series;
  }

  private boolean isAdded(Series series, JournalLine line, long intervals) {
    try {
      restore.total(
          series, line.histogram(), counts(line), intervals, line.endMillis(), line.idleMillis());
      return true;
    } catch (RefusedException e) {
      if (e.reason() == RejectReason.MEMORY_LIMIT) {
        return false;
      }
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private void leaveOut(SeriesKey key, @Nullable Series series, JournalLine line, long intervals) {
    unrestoredValues += line.histogram().counts().total();
    unrestoredIntervals += intervals;
    if (OverflowLabels.areThese(key.labels())) {
      return; // Many share it, and any part of them is better than none.
    }
    leftOut.add(key);
    if (series != null && series.key().equals(key) && series.intervals() == 0) {
      restore.end(series);
    }
  }

  /** Adds a decoded line to the windows of a series. */
  void addToWindows(Series series, JournalLine line) {
    try {
      restore.windows(
          series, line.histogram().layout(), counts(line), line.startMillis(), line.endMillis());
    } catch (RefusedException e) {
      // A layout that only the windows would still know of: its totals have expired.
      LOG.log(Level.DEBUG, "event=journal_window_skipped problem={0}", e.getMessage());
    }
  }

  /** Keeps a decoded line in the history. */
  void keep(Series series, JournalLine line) {
    restore.history(
        series,
        line.histogram().layout(),
        counts(line),
        line.startMillis(),
        line.endMillis(),
        line.record());
  }

  private IntervalCounts counts(JournalLine line) {
    counts.set(line.histogram().counts(), line.sumMinMax());
    return counts;
  }

  /** The series as it is by now, if there is one. */
  @Nullable Series found(SeriesText text) {
    Series series = found.get(text);
    if (series == null || series.hasEnded()) {
      series = store.find(text.definition().key()).orElse(null);
      if (series != null) {
        found.put(text, series);
      }
    }
    return series;
  }

  /** Records of this name and labels are of another series from now on. */
  void ended(SeriesText text, @Nullable Series series) {
    leftOut.remove(text.definition().key());
    restore.beginsAnew(text.definition().key());
    if (series != null) {
      restore.end(series);
      sweep();
    }
  }

  /** Else all series that ended while one file was written would be held until it is read. */
  private void sweep() {
    endedSinceSweep++;
    if (endedSinceSweep > FEW_ENDED + (known.size() + found.size()) / 2) {
      endedSinceSweep = 0;
      known.values().removeIf(Series::hasEnded);
      found.values().removeIf(Series::hasEnded);
    }
  }

  /** Says once what had no room. */
  void log() {
    if (restore.foldedSeries() > 0 || unrestoredValues() > 0) {
      LOG.log(
          Level.WARNING,
          "event=journal_not_restored overflowed_series={0} values={1} intervals={2}"
              + " problem=\"there is less room than before; the journal has them: raise"
              + " series.max-memory or series.max and start again\"",
          restore.foldedSeries(),
          unrestoredValues(),
          unrestoredIntervals);
    }
  }
}
