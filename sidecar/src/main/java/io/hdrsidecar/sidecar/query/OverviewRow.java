package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Series;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Figures of one series, all of the same counts.
 *
 * @param series which one
 * @param seconds over how long they were counted
 * @param count number of values; the other figures mean nothing while it is 0
 * @param past what the figures were added up from, if from the history
 */
record OverviewRow(
    Series series,
    double seconds,
    long count,
    long p50,
    long p99,
    long max,
    @Nullable PastCounts past) {
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
