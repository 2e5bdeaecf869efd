package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the history has of some series in a range of time: all intervals that overlap it, whole. No
 * interval is cut, since nobody knows when within it a value was recorded; so what is covered may
 * reach beyond the range, by less than the longest interval at each end, and answers say so.
 *
 * <p>One thread at a time.
 */
final class PastCounts {
  private final TimeRange asked;
  private final List<KeptInterval> intervals;
  private final HistoryRange covered;
  private final IntervalSum sums = new IntervalSum();

  private PastCounts(TimeRange asked, List<KeptInterval> intervals) {
    this.asked = asked;
    this.intervals = intervals;
    HistoryRange range = HistoryRange.EMPTY;
    for (KeptInterval each : intervals) {
      range = range.and(HistoryRange.of(each.startMillis(), each.endMillis()));
    }
    this.covered = range;
  }

  /**
   * Takes references to the intervals; they are unpacked when they are added up.
   *
   * @throws ApiException when there is no history, or too much of it
   */
  static PastCounts of(Selection selection, TimeRange range, SeriesStore store, QueryLimits limits)
      throws ApiException {
    if (!store.keepsHistory()) {
      throw ApiException.tooCostly(
          "start", "there is no history to read: it is off; switch it on with history.max-memory");
    }
    List<KeptInterval> all = new ArrayList<>();
    for (Series each : selection.series()) {
      all.addAll(each.historyIntervals(range.startMillis(), range.endMillis()));
      if (all.size() > limits.maxIntervals()) {
        throw ApiException.tooCostly(
            selection.parameter(),
            "more than "
                + limits.maxIntervals()
                + " intervals would have to be read (query.max-intervals); ask for a shorter range"
                + " or fewer series");
      }
    }
    return new PastCounts(range, all);
  }

  List<KeptInterval> intervals() {
    return intervals;
  }

  HistoryRange covered() {
    return covered;
  }

  /** Which time the intervals cover that were added up last. */
  HistoryRange coveredBySum() {
    return sums.range();
  }

  /** Adds up, without loss. O(non-zero buckets of the intervals). */
  Distribution sum(List<KeptInterval> some) throws ApiException {
    sums.clear();
    try {
      some.forEach(sums::add);
    } catch (ArithmeticException e) {
      throw ApiException.tooCostly(
          "series", "the counts of all intervals add up to more than 2^63 - 1; ask for fewer");
    }
    Distribution sum = new Distribution();
    sums.forEach((c, exact) -> sum.add(c.counts(), c.sum(), exact, c.min(), c.max()));
    return sum;
  }

  /**
   * The intervals by the step that they belong to: that of their middle, or the first or last one
   * of the range if their middle lies before or after it. So each is in one step, and the steps
   * hold together what a query for the whole range finds.
   */
  SortedMap<Long, List<KeptInterval>> bySteps(TimeSteps steps) {
    SortedMap<Long, List<KeptInterval>> found = new TreeMap<>();
    for (KeptInterval each : intervals) {
      long step = steps.startOf(each.middleMillis());
      found.computeIfAbsent(step, none -> new ArrayList<>()).add(each);
    }
    return found;
  }

  /**
   * The intervals whose middle lies in the range, by the step that it lies in. So each interval is
   * in one step of one range, however time is divided into ranges.
   */
  SortedMap<Long, List<KeptInterval>> byMiddle(long stepMillis) {
    SortedMap<Long, List<KeptInterval>> found = new TreeMap<>();
    for (KeptInterval each : intervals) {
      long middle = each.middleMillis();
      if (middle >= asked.startMillis() && middle < asked.endMillis()) {
        long step = Math.floorDiv(middle, stepMillis) * stepMillis;
        found.computeIfAbsent(step, none -> new ArrayList<>()).add(each);
      }
    }
    return found;
  }

  /** What the answer is about, and how finely. */
  JsonObject coverage() {
    boolean empty = intervals.isEmpty();
    return new JsonObject()
        .put("start", empty ? null : TimeRange.text(covered.fromMillis()))
        .put("end", empty ? null : TimeRange.text(covered.toMillis()))
        .put("intervals", covered.intervals())
        .put("resolutionSeconds", covered.longestMillis() / 1000.0);
  }

  /** In words, where this is not quite what was asked for. */
  JsonArray warnings() {
    JsonArray warnings = new JsonArray();
    if (intervals.isEmpty()) {
      return warnings.add(
          "nothing is kept of this range: nothing was recorded, or the history does not reach back"
              + " so far");
    }
    if (covered.fromMillis() < asked.startMillis() || covered.toMillis() > asked.endMillis()) {
      warnings.add(
          "intervals are up to "
              + covered.longestMillis() / 1000.0
              + " s long and are not cut: the answer is about "
              + TimeRange.text(covered.fromMillis())
              + " to "
              + TimeRange.text(covered.toMillis()));
    }
    if (covered.fromMillis() - asked.startMillis() > covered.longestMillis()) {
      warnings.add(
          "nothing is kept from before "
              + TimeRange.text(covered.fromMillis())
              + ": nothing was recorded, or the history does not reach back so far");
    }
    return warnings;
  }

  JsonObject asked() {
    return asked.json();
  }
}
