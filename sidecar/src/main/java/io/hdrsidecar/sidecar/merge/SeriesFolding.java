package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.RefusedException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for what is restored where there is less of it than before: adds series to the
 * overflow series of their names, those first that have idled longest, until there is room for
 * labels again. Label detail is lost, counts are not. One thread.
 */
final class SeriesFolding {
  private final StoreRestore restore;
  private final SeriesTable table;
  private final SeriesTotals totals = new SeriesTotals();
  private final IntervalCounts counts = new IntervalCounts();
  private final Set<SeriesKey> folded = new HashSet<>();
  private long series;
  private long lostValues;

  SeriesFolding(StoreRestore restore, SeriesTable table) {
    this.restore = restore;
    this.table = table;
  }

  /** Whether what is known of a series went to an overflow series. */
  boolean has(SeriesKey key) {
    return folded.contains(key);
  }

  void forget(SeriesKey key) {
    folded.remove(key);
  }

  /** How many there were. */
  long series() {
    return series;
  }

  /** Values for which there was no room in overflow series either. */
  long lostValues() {
    return lostValues;
  }

  /**
   * Makes room, if there is any to be made.
   *
   * @param growing stays as it is
   * @return whether there is more room now
   */
  boolean makeRoom(@Nullable Series growing) {
    long before = series;
    List<Series> idlestFirst =
        table.all().stream()
            .filter(candidate -> candidate != growing && !candidate.identity().overflow())
            .sorted(Comparator.comparingLong(Series::idleSinceNanos))
            .toList();
    for (Series next : idlestFirst) {
      if (!table.memory().isFullForLabels()) {
        break;
      }
      fold(next);
    }
    table.memory().refusedNothing();
    return series > before;
  }

  private void fold(Series from) {
    from.readTotals(totals);
    restore.end(from);
    folded.add(from.key());
    series++;
    long intervals = totals.intervals();
    for (SeriesTotals.LayoutTotal part : totals.parts()) {
      if (part.counts().size() > 0) {
        add(from, part, intervals);
        intervals = 0;
      }
    }
  }

  private void add(Series from, SeriesTotals.LayoutTotal part, long intervals) {
    counts.set(part.counts(), part.sumMinMax());
    SeriesDefinition definition =
        new SeriesDefinition(
            from.key(), from.unit(), from.help(), part.layout(), part.highestTrackableValue());
    long idle = from.idleSinceNanos();
    try {
      Series into =
          table.restore(definition, from.createdAt(), idle, /* asOverflow= */ true, false);
      SeriesPart room = SeriesPart.withRoom(into, part.layout(), counts);
      restore.add(into, room, counts, intervals, from.lastSeen().toEpochMilli(), idle);
    } catch (RefusedException e) {
      lostValues += part.counts().total();
    }
  }
}
