package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.history.MemoryOrJournal;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gathers references to the intervals of a range, of memory and journal each as {@link
 * MemoryOrJournal} says. Where both together are finer than memory but have more than may be read,
 * or than there is memory for, all that memory has is taken from there, coarser and whole, and from
 * the journal what memory does not have.
 */
final class PastReferences {
  /** A reference to an interval, its times, and its places in lists. */
  private static final long INTERVAL_BYTES = 128;

  private final TimeRange range;
  private final PastReading reading;
  private final QueryLimits limits;
  private final HeapClaim claim;
  private final QueryTurn turn;
  private int gathered;

  /** What to do where memory does not suffice for the finest. */
  enum Detail {
    /** Gather it coarser, where that is known. */
    AS_FITS,
    /** Say so. */
    FINEST,
    /** Nothing: it is known that it does not. */
    COARSE
  }

  /**
   * For one query.
   *
   * @param reading opened before anything is read of memory
   */
  PastReferences(TimeRange range, PastReading reading, QueryScope scope) {
    this.range = range;
    this.reading = reading;
    this.limits = scope.limits();
    this.claim = scope.claim();
    this.turn = scope.turn();
  }

  /** All intervals, series by series. */
  List<PastCounts.OfSeries> gather(SeriesSelection selection, Detail detail) throws QueryException {
    Map<SeriesKey, List<KeptInterval>> kept = new LinkedHashMap<>();
    long finest = 0;
    long inMemory = 0;
    for (Series each : selection.series()) {
      turn.look();
      List<KeptInterval> ofSeries = ofMemory(each);
      kept.put(each.key(), ofSeries);
      if (!fits(ofSeries.size())) {
        throw tooMany(selection);
      }
      for (KeptInterval interval : ofSeries) {
        finest += interval.merged();
      }
      inMemory += ofSeries.size();
    }
    List<PastCounts.OfSeries> all = null;
    if (detail != Detail.COARSE && finest <= limits.maxIntervals()) {
      all = finest(selection, kept, detail == Detail.AS_FITS && finest > inMemory);
    }
    if (all == null) {
      all = gather(selection, kept, true);
    }
    if (all == null) {
      throw tooMany(selection);
    }
    return all;
  }

  /**
   * Null when there are too many, also for memory if it may be coarser; then it holds none of it.
   */
  private @Nullable List<PastCounts.OfSeries> finest(
      SeriesSelection selection, Map<SeriesKey, List<KeptInterval>> kept, boolean mayBeCoarser)
      throws QueryException {
    long before = claim.bytes();
    List<PastCounts.OfSeries> all = null;
    try {
      all = gather(selection, kept, false);
    } catch (HeapFullException e) {
      if (!mayBeCoarser || !e.isForMost()) {
        throw e;
      }
    }
    if (all == null) {
      claim.resize(claim.bytes(), before);
    }
    return all;
  }

  /** Null when there are too many. */
  private @Nullable List<PastCounts.OfSeries> gather(
      SeriesSelection selection, Map<SeriesKey, List<KeptInterval>> kept, boolean coarse)
      throws QueryException {
    gathered = 0;
    Map<SeriesKey, List<PastSeries>> past =
        selection.past().stream().collect(Collectors.groupingBy(PastSeries::key));
    List<PastCounts.OfSeries> all = new ArrayList<>();
    for (SeriesKey key : selection.keys()) {
      turn.look();
      MemoryOrJournal seam = MemoryOrJournal.of(kept.getOrDefault(key, List.of()), reading, coarse);
      List<PastInterval> intervals = new ArrayList<>(seam.fromMemory());
      if (!fits(intervals.size())) {
        return null;
      }
      for (PastSeries each : past.getOrDefault(key, List.of())) {
        List<PastInterval> more = ofJournal(each, seam);
        if (!fits(more.size())) {
          return null;
        }
        intervals.addAll(more);
      }
      all.add(new PastCounts.OfSeries(key, intervals));
    }
    return all;
  }

  private List<KeptInterval> ofMemory(Series series) {
    return withinRoom(
        limit -> series.historyIntervals(range.startMillis(), range.endMillis(), limit + 1L));
  }

  private List<PastInterval> ofJournal(PastSeries series, MemoryOrJournal seam) {
    return withinRoom(limit -> reading.intervals(series, seam.inMemory(), limit));
  }

  /**
   * Takes as much room as there is, since nobody knows how many there are, and gives back what they
   * do not need.
   *
   * @param find gives one more than its limit when there are more
   */
  private <T> List<T> withinRoom(IntFunction<List<T>> find) {
    int room = (int) Math.max(0, Math.min(left(), claim.roomBytes() / INTERVAL_BYTES - 1));
    long most = INTERVAL_BYTES * (room + 1L);
    claim.grow(most);
    List<T> found = find.apply(room);
    if (found.size() > room && room < left()) {
      throw claim.full(INTERVAL_BYTES);
    }
    claim.resize(most, INTERVAL_BYTES * found.size());
    return found;
  }

  private int left() {
    return limits.maxIntervals() - gathered;
  }

  /** Counts more intervals, if there may be so many. */
  private boolean fits(int more) {
    if (more > left()) {
      return false;
    }
    gathered += more;
    return true;
  }

  private QueryException tooMany(SeriesSelection selection) {
    return QueryException.tooCostly(
        selection.parameter(),
        "more than "
            + limits.maxIntervals()
            + " intervals would have to be read (query.max-intervals); ask for a shorter range"
            + " or fewer series");
  }
}
