package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule held against a range of the past, as far as the history has it; also for a rule that was
 * not thought of then.
 *
 * @param range which time is covered
 * @param rows every row against all that was counted in it; empty without any
 * @param intervals for each row, what it was interval by interval
 */
record PastVerdict(HistoryRange range, List<Row> rows, List<RowIntervals> intervals) {
  /** Nothing is known. */
  static final PastVerdict NOTHING = new PastVerdict(HistoryRange.EMPTY, List.of(), List.of());

  /**
   * An interval of one series, as the history has it.
   *
   * @param actual its percentile, in the unit of the series
   * @param events how many values it has
   */
  record Interval(String series, long startMillis, long endMillis, long actual, long events) {}

  /**
   * One row, interval by interval.
   *
   * @param broken in how many of them it was not met
   * @param worst the one with the highest percentile; null without any
   * @param lastBroken the last that was not met; null without any
   */
  record RowIntervals(
      SlaLimit limit, int broken, @Nullable Interval worst, @Nullable Interval lastBroken) {}

  /** Collects what a row is in each interval. */
  private static final class RowSearch {
    private final SlaLimit limit;
    private final long limitInUnit;
    private int broken;
    private @Nullable Interval worst;
    private @Nullable Interval lastBroken;

    RowSearch(SlaLimit limit, Unit unit) {
      this.limit = limit;
      this.limitInUnit = limit.in(unit);
    }

    void look(String series, long start, long end, Distribution counts) {
      double percentile = limit.percentile().doubleValue();
      long actual = counts.withinExtremes(counts.valueAtPercentile(percentile));
      boolean met = Row.good(counts, limitInUnit) >= Distribution.rank(percentile, counts.count());
      boolean isWorst = worst == null || actual > worst.actual();
      boolean isLast = !met && (lastBroken == null || end > lastBroken.endMillis());
      broken += met ? 0 : 1;
      if (isWorst || isLast) {
        Interval interval = new Interval(series, start, end, actual, counts.count());
        worst = isWorst ? interval : worst;
        lastBroken = isLast ? interval : lastBroken;
      }
    }

    RowIntervals found() {
      return new RowIntervals(limit, broken, worst, lastBroken);
    }
  }

  /**
   * Judges the past. O(buckets of all intervals in the range), which are read twice.
   *
   * @param past of series that may be joined
   * @param unit of their values
   * @throws QueryException when the counts are too many to be added up
   */
  static PastVerdict of(SlaRule rule, PastCounts past, Unit unit) throws QueryException {
    Distribution joined = past.sum();
    List<RowSearch> searches = new ArrayList<>();
    rule.limits().forEach(limit -> searches.add(new RowSearch(limit, unit)));
    past.forEach(
        (series, interval, counts) ->
            searches.forEach(
                search ->
                    search.look(
                        series.toString(), interval.startMillis(), interval.endMillis(), counts)));
    Set<BucketLayout> layouts = past.layouts();
    List<Row> rows =
        joined.count() == 0
            ? List.of()
            : rule.limits().stream().map(limit -> Row.of(limit, joined, unit, layouts)).toList();
    return new PastVerdict(past.covered(), rows, searches.stream().map(RowSearch::found).toList());
  }
}
