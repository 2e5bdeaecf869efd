package io.hdrsidecar.sidecar.query;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Figures of one series, all of the same counts.
 *
 * @param series which one
 * @param seconds over how long they were counted
 * @param count number of values, or {@link #UNKNOWN}; the other figures mean nothing below 1
 * @param past what the figures were added up from, if from the history
 */
record OverviewRow(
    OverviewSeries series,
    double seconds,
    long count,
    long p50,
    long p99,
    long max,
    @Nullable PastCounts past) {
  /** The count of a row whose figures were not asked for. */
  static final long UNKNOWN = -1;

  /** Without figures. */
  static OverviewRow named(OverviewSeries series) {
    return new OverviewRow(series, 1, UNKNOWN, 0, 0, 0, null);
  }

  /** Rows of equal figures stay in the order of their names; empty ones come last. */
  static Comparator<OverviewRow> orderBy(OverviewQuery.Sort sort) {
    Comparator<OverviewRow> ascending =
        switch (sort) {
          case NAME -> throw new IllegalArgumentException("rows come in the order of their names");
          case COUNT -> Comparator.comparingLong(OverviewRow::count);
          case P99 -> Comparator.comparingLong(row -> row.count == 0 ? -1 : row.p99);
          case MAX -> Comparator.comparingLong(row -> row.count == 0 ? -1 : row.max);
        };
    return ascending.reversed();
  }
}
