package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.query.PastCounts;
import java.util.Comparator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One series with its statistics.
 *
 * @param past what the statistics were added up from, if from the history
 */
record OverviewRow(
    OverviewSeries series, OverviewStatistics statistics, @Nullable PastCounts past) {
  /** Without statistics. */
  static OverviewRow named(OverviewSeries series) {
    return new OverviewRow(series, OverviewStatistics.NONE, null);
  }

  /** Rows of equal statistics stay in the order of their names; empty ones come last. */
  static Comparator<OverviewRow> orderBy(OverviewQuery.Sort sort) {
    return switch (sort) {
      case NAME -> throw new IllegalArgumentException("rows come in the order of their names");
      case COUNT -> by(OverviewStatistics::count);
      case P99 -> by(OverviewStatistics::p99);
      case P999 -> by(OverviewStatistics::p999);
      case MAX -> by(OverviewStatistics::max);
    };
  }

  private static Comparator<OverviewRow> by(ToLongFunction<OverviewStatistics> statistic) {
    Comparator<OverviewRow> ascending =
        Comparator.comparingLong(
            row -> row.statistics.count() == 0 ? -1 : statistic.applyAsLong(row.statistics));
    return ascending.reversed();
  }
}
