package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.PastReferences.Detail;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What there is of some series in a range of time, in memory and in files: all intervals that
 * overlap it, whole. No interval is cut, since nobody knows when within it a value was recorded; so
 * what is covered may reach beyond the range, by less than the longest interval at each end, and
 * answers say what it is.
 *
 * <p>One thread at a time. Intervals can be added up until it is closed, the rest is told after
 * that, too.
 */
public final class PastCounts implements AutoCloseable {
  /** What one series has. */
  public record OfSeries(SeriesKey key, List<PastInterval> intervals) {}

  /** Takes the intervals one by one. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One interval, or the sum of neighbours.
     *
     * @param counts valid until this returns
     */
    void visit(SeriesKey series, PastInterval interval, Distribution counts);
  }

  private final TimeRange asked;
  private final SeriesSelection selection;
  private final PastReading reading;
  private final List<OfSeries> bySeries;
  private final List<PastInterval> intervals;
  private final HistoryRange covered;
  private final long keptSinceMillis;
  private final PastSums sums;

  private PastCounts(
      TimeRange asked,
      SeriesSelection selection,
      PastReading reading,
      List<OfSeries> bySeries,
      long keptSinceMillis,
      PastSums.Adding adding) {
    this.sums = new PastSums(adding);
    this.asked = asked;
    this.keptSinceMillis = keptSinceMillis;
    this.selection = selection;
    this.reading = reading;
    this.bySeries = List.copyOf(bySeries);
    this.intervals = bySeries.stream().flatMap(each -> each.intervals().stream()).toList();
    HistoryRange range = HistoryRange.EMPTY;
    for (PastInterval each : intervals) {
      range = range.and(HistoryRange.of(each.startMillis(), each.endMillis()));
    }
    this.covered = range;
  }

  /**
   * Takes references to the intervals of all series that a selector matches, those that have ended
   * among them; they are read when they are added up.
   *
   * @param parameter that had the selector
   * @param living all living ones that it matches
   * @throws QueryException when nothing matches, what must not be added up, when there is no
   *     history, or too much of it
   */
  public static PastCounts of(
      String parameter, Selector selector, List<Series> living, TimeRange range, QueryScope scope)
      throws QueryException {
    SeriesStore store = scope.store();
    requireHistory(store.past().isKept());
    PastReading reading = store.past().source().open(range.startMillis(), range.endMillis());
    try {
      SeriesSelection selection = SeriesSelection.of(parameter, selector, living, reading, scope);
      return new PastCounts(
          range,
          selection,
          reading,
          new PastReferences(range, reading, scope).gather(selection, Detail.AS_FITS),
          keptSinceMillis(selection, store),
          PastSums.Adding.of(scope));
    } catch (QueryException | RuntimeException e) {
      reading.close();
      throw e;
    }
  }

  /**
   * The same of series that are selected already, as far as memory has it.
   *
   * @throws QueryException when there is no history, or too much of it
   */
  public static PastCounts of(SeriesSelection selection, TimeRange range, QueryScope scope)
      throws QueryException {
    SeriesStore store = scope.store();
    requireHistory(store.past().isInMemory());
    return new PastCounts(
        range,
        selection,
        PastSource.NOTHING,
        new PastReferences(range, PastSource.NOTHING, scope).gather(selection, Detail.AS_FITS),
        keptSinceMillis(selection, store),
        PastSums.Adding.of(scope));
  }

  /**
   * Of several series, each by itself, though within one limit of intervals; in the order of their
   * names and labels.
   *
   * @param reading that stays open until all of them have been read; closing one closes it
   * @throws QueryException when there is too much to be read
   */
  public static List<PastCounts> each(
      SeriesSelection all, TimeRange range, PastReading reading, QueryScope scope)
      throws QueryException {
    // One for all: they are read one after the other.
    PastSums.Adding adding = PastSums.Adding.of(scope);
    return new PastReferences(range, reading, scope)
        .gather(all, Detail.AS_FITS).stream()
            .map(one -> new PastCounts(range, all, reading, List.of(one), Long.MAX_VALUE, adding))
            .toList();
  }

  /**
   * References to the intervals of series that need not be fit to be added up, series by series.
   *
   * @param reading stays open until they have been read
   * @param isCoarse whether everything that memory has is taken from there, however coarse
   * @throws QueryException when there is too much to be read
   */
  public static List<OfSeries> gather(
      SeriesSelection selection,
      TimeRange range,
      PastReading reading,
      boolean isCoarse,
      QueryScope scope)
      throws QueryException {
    return new PastReferences(range, reading, scope)
        .gather(selection, isCoarse ? Detail.COARSE : Detail.FINEST);
  }

  /** Since when nothing that was recorded is missing, in memory and files together. */
  private static long keptSinceMillis(SeriesSelection selection, SeriesStore store) {
    return keptSinceMillis(selection.series(), store);
  }

  /** The same of living series. */
  public static long keptSinceMillis(List<Series> living, SeriesStore store) {
    long inMemory =
        living.stream()
            .map(store.past()::since)
            .max(Comparator.naturalOrder())
            .filter(moment -> moment.isBefore(Instant.MAX))
            .map(Instant::toEpochMilli)
            .orElse(Long.MAX_VALUE);
    HistoryExtent inFiles = store.past().source().extent();
    return inFiles.isEmpty() ? inMemory : Math.min(inMemory, inFiles.fromMillis());
  }

  public static void requireHistory(boolean isKept) throws QueryException {
    if (!isKept) {
      throw QueryException.tooCostly(
          "start", "there is no history to read: it is off; switch it on with history.max-memory");
    }
  }

  /** The range asked for. */
  public TimeRange asked() {
    return asked;
  }

  /** Which series it is about. */
  public SeriesSelection selection() {
    return selection;
  }

  public List<PastInterval> intervals() {
    return intervals;
  }

  /** Which time the intervals cover, and how finely. */
  public HistoryRange covered() {
    return covered;
  }

  /** Whether intervals begin before the range, or end after it. */
  public boolean reachesBeyond() {
    return !intervals.isEmpty()
        && (covered.fromMillis() < asked.startMillis() || covered.toMillis() > asked.endMillis());
  }

  /** The same by more than a twentieth of the range: what is less is in {@link #covered} only. */
  private boolean reachesFarBeyond() {
    long before = Math.max(0, asked.startMillis() - covered.fromMillis());
    long behind = Math.max(0, covered.toMillis() - asked.endMillis());
    return (before + behind) * 20.0 > asked.endMillis() - asked.startMillis();
  }

  /** How many intervals could not be read, of those that were to be added up. */
  public int unread() {
    return sums.unread();
  }

  /** Which time the intervals cover that were added up last. */
  public HistoryRange coveredBySum() {
    return sums.covered();
  }

  /** Adds everything up, without loss. O(non-zero buckets of the intervals). */
  public Distribution sum() throws QueryException {
    return sum(intervals);
  }

  /** Adds up, without loss. O(non-zero buckets of the intervals). */
  public Distribution sum(List<PastInterval> some) throws QueryException {
    Distribution sum = new Distribution();
    sums.addUp(some, sum);
    return sum;
  }

  /**
   * Visits all intervals that can be read and have values, one series after the other. Reads each.
   */
  public void forEach(Visitor visitor) throws QueryException {
    Distribution one = new Distribution();
    for (OfSeries each : bySeries) {
      for (PastInterval interval : each.intervals()) {
        sums.addUp(List.of(interval), one);
        if (one.count() > 0) {
          visitor.visit(each.key(), interval, one);
        }
      }
    }
  }

  /** The bucket layouts of all intervals added up so far. */
  public Set<BucketLayout> layouts() {
    return sums.layouts();
  }

  /**
   * The intervals by the step that they belong to: that of their middle, or the first or last one
   * of the range if their middle lies before or after it. So each is in one step, and the steps
   * hold together what a query for the whole range finds.
   */
  public SortedMap<Long, List<PastInterval>> bySteps(TimeSteps steps) {
    SortedMap<Long, List<PastInterval>> found = new TreeMap<>();
    for (PastInterval each : intervals) {
      long step = steps.startOf(each.middleMillis());
      found.computeIfAbsent(step, none -> new ArrayList<>()).add(each);
    }
    return found;
  }

  /**
   * The intervals whose middle lies in the range, by the step that it lies in. So each interval is
   * in one step of one range, however time is divided into ranges.
   */
  public SortedMap<Long, List<PastInterval>> byMiddle(long stepMillis) {
    SortedMap<Long, List<PastInterval>> found = new TreeMap<>();
    for (PastInterval each : intervals) {
      long middle = each.middleMillis();
      if (middle >= asked.startMillis() && middle < asked.endMillis()) {
        long step = Math.floorDiv(middle, stepMillis) * stepMillis;
        found.computeIfAbsent(step, none -> new ArrayList<>()).add(each);
      }
    }
    return found;
  }

  /**
   * Whether all that is kept could be read so far, as far as that is known; else counts may be too
   * low, and {@link #warnings} says why.
   */
  public boolean isWhole() {
    return sums.unread() == 0 && reading.warnings().isEmpty();
  }

  /** In words, where this is not quite what was asked for. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(reading.warnings());
    warnings.addAll(sums.warnings(intervals.size()));
    boolean mayLack = asked.startMillis() < keptSinceMillis;
    if (intervals.isEmpty()) {
      if (mayLack) {
        warnings.add(
            "nothing is kept of this range: nothing was recorded, or the history does not reach"
                + " back so far");
      }
      return warnings;
    }
    if (reachesFarBeyond()) {
      warnings.add(
          "intervals are up to "
              + covered.longestMillis() / 1000.0
              + " s long and are not cut: the answer is about "
              + TimeRange.text(covered.fromMillis())
              + " to "
              + TimeRange.text(covered.toMillis()));
    }
    if (mayLack && covered.fromMillis() - asked.startMillis() > covered.longestMillis()) {
      warnings.add(
          "nothing is kept from before "
              + TimeRange.text(covered.fromMillis())
              + ": nothing was recorded, or the history does not reach back so far");
    }
    return warnings;
  }

  /** Lets go of files. Idempotent. */
  @Override
  public void close() {
    reading.close();
  }
}
