package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.PercentileReader;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads series one by one, within the limit of intervals that one query may read. One thread at a
 * time.
 */
final class OverviewRows {
  private static final BigDecimal P50 = BigDecimal.valueOf(50);
  private static final BigDecimal P99 = BigDecimal.valueOf(99);

  private final OverviewQuery query;
  private final SeriesStore store;
  private final QueryLimits limits;
  private final Instant now;
  private final PercentileReader reader =
      new PercentileReader(P50.doubleValue(), P99.doubleValue());
  private long intervals;

  OverviewRows(OverviewQuery query, SeriesStore store, QueryLimits limits, Instant now) {
    this.query = query;
    this.store = store;
    this.limits = limits;
    this.now = now;
  }

  /** The rows of these series, in the same order. */
  List<OverviewRow> of(List<Series> some) throws ApiException {
    List<OverviewRow> rows = new ArrayList<>(some.size());
    for (Series each : some) {
      TimeRange range = query.range();
      rows.add(range == null ? counted(each) : ofRange(each, range));
    }
    return rows;
  }

  private OverviewRow counted(Series series) {
    if (query.windowIndex() == HistogramQuery.TOTAL) {
      reader.readTotal(series);
      Duration counting = Duration.between(series.createdAt(), now);
      return row(series, Math.max(1, counting.toMillis()) / 1000.0);
    }
    reader.readWindow(series, query.windowIndex());
    return row(series, store.windows().get(query.windowIndex()).span().toMillis() / 1000.0);
  }

  private OverviewRow row(Series series, double seconds) {
    return new OverviewRow(
        series, seconds, reader.count(), reader.valueAt(0), reader.valueAt(1), reader.max(), null);
  }

  private OverviewRow ofRange(Series series, TimeRange range) throws ApiException {
    PastCounts past = past(series, range);
    Distribution sum = past.sum(past.intervals());
    return new OverviewRow(
        series,
        (range.endMillis() - range.startMillis()) / 1000.0,
        sum.count(),
        Percentiles.valueAt(sum, P50),
        Percentiles.valueAt(sum, P99),
        sum.max(),
        past);
  }

  /**
   * What the history has of a series.
   *
   * @throws ApiException when this query has read too much of it by now
   */
  PastCounts past(Series series, TimeRange range) throws ApiException {
    Selection one = new Selection("series", List.of(series), series.unit());
    PastCounts past = PastCounts.of(one, range, store, limits);
    intervals += past.intervals().size();
    if (intervals > limits.maxIntervals()) {
      throw ApiException.tooCostly(
          "limit",
          "more than "
              + limits.maxIntervals()
              + " intervals would have to be read (query.max-intervals); ask for fewer series, or"
              + " a shorter range");
    }
    return past;
  }
}
