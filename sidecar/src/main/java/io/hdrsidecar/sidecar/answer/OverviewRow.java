package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.query.PastCounts;
import java.util.Comparator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One series with its figures.
 *
 * @param past what the figures were added up from, if from the history
 */
record OverviewRow(OverviewSeries series, OverviewFigures figures, @Nullable PastCounts past) {
  /** Without figures. */
  static OverviewRow named(OverviewSeries series) {
    return new OverviewRow(series, OverviewFigures.NONE, null);
  }

  /** Rows of equal figures stay in the order of their names; empty ones come last. */
  static Comparator<OverviewRow> orderBy(OverviewQuery.Sort sort) {
    return switch (sort) {
      case NAME -> throw new IllegalArgumentException("rows come in the order of their names");
      case COUNT -> by(OverviewFigures::count);
      case P99 -> by(OverviewFigures::p99);
      case P999 -> by(OverviewFigures::p999);
      case MAX -> by(OverviewFigures::max);
    };
  }

  private static Comparator<OverviewRow> by(ToLongFunction<OverviewFigures> figure) {
    Comparator<OverviewRow> ascending =
        Comparator.comparingLong(
            row -> row.figures.count() == 0 ? -1 : figure.applyAsLong(row.figures));
    return ascending.reversed();
  }
}
