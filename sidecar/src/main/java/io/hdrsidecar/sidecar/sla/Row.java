package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.reading.Distribution;

/**
 * One row of a rule held against what was counted.
 *
 * <p>A limit inside a bucket is moved up to the highest value of that bucket: what lies in one
 * bucket cannot be told apart, so a value is good if its bucket holds the limit or lies below it.
 * At that value the number of good ones is exact. With 3 digits it is less than 0.1 % above the
 * limit as written.
 *
 * <p>In a bucket without an upper bound it is moved down to below that bucket, as nobody knows how
 * many of its values are good. Not even while the largest of all is within the limit: what was good
 * then would be taken back when one above it comes, and counters of good ones must not fall.
 *
 * <p>The row is met when as many values are good as its percentile asks for, by HdrHistogram's
 * rule; so it agrees with the counts of the same row, whatever the layouts.
 *
 * @param limit the row
 * @param limitInUnit its limit in the unit of the series
 * @param snappedLimit the highest value that is good
 * @param events values counted, 1 or more
 * @param good how many of them are within the limit
 * @param actual the percentile, not above the maximum; for 100 % the exact maximum
 * @param met whether enough of them are
 */
record Row(
    SlaLimit limit,
    long limitInUnit,
    long snappedLimit,
    long events,
    long good,
    long actual,
    boolean met) {
  /** Judges what was counted, at least one value. */
  static Row of(SlaLimit limit, Distribution counted, Unit unit, Iterable<BucketLayout> layouts) {
    long limitInUnit = limit.in(unit);
    double percentile = limit.percentile().doubleValue();
    long good = good(counted, limitInUnit);
    return new Row(
        limit,
        limitInUnit,
        snapped(limitInUnit, layouts),
        counted.count(),
        good,
        counted.withinExtremes(counted.valueAtPercentile(percentile)),
        good >= Distribution.rank(percentile, counted.count()));
  }

  /** How many values lie in the bucket of the limit or below, and not in one without a bound. */
  static long good(Distribution counted, long limitInUnit) {
    long good = 0;
    for (int i = 0; i < counted.size(); i++) {
      long highest = counted.highestAt(i);
      boolean isCut = counted.lowestAt(i) <= limitInUnit && highest < Long.MAX_VALUE;
      if (isCut || highest <= limitInUnit) {
        good += counted.countAt(i);
      }
    }
    return good < 0 ? Long.MAX_VALUE : good;
  }

  /**
   * Of several layouts, the coarsest bucket that holds the limit counts. The limit itself where no
   * value can be good at all.
   */
  static long snapped(long limitInUnit, Iterable<BucketLayout> layouts) {
    long highest = -1;
    for (BucketLayout layout : layouts) {
      int index = layout.indexOf(limitInUnit);
      long edge = layout.highestValueAt(index);
      boolean isOpen = edge == Long.MAX_VALUE && limitInUnit < edge;
      highest = Math.max(highest, isOpen ? layout.lowestValueAt(index) - 1 : edge);
    }
    return highest < 0 ? limitInUnit : highest;
  }
}
