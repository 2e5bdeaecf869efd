package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /api/v1/overview}: all series side by side, each with the few figures that one
 * looks at first, and a small picture of its last minutes.
 *
 * <p>The figures of a series are of one moment: its count, percentiles and maximum belong together.
 * Those of two series are not; they are read one after the other.
 */
public final class OverviewAnswers {
  private final SeriesStore store;
  private final int maxSeries;
  private final QueryLimits limits;

  /**
   * Answers from this store.
   *
   * @param maxSeries most series one query may look at
   */
  public OverviewAnswers(SeriesStore store, int maxSeries, QueryLimits limits) {
    this.store = store;
    this.maxSeries = maxSeries;
    this.limits = limits;
  }

  /**
   * Answers one query; that nothing matches is no error. Any thread. Of a window, O(1) for each
   * series shown, and for each that matches if they are ordered by a figure; of a range, in
   * proportion to the buckets of all their intervals in it. A picture costs O(1) for each interval.
   *
   * @throws ApiException when a parameter is wrong, or it would cost too much
   */
  public Answer answer(Parameters parameters, SeriesVerdicts verdicts, Instant now)
      throws ApiException {
    OverviewQuery query = OverviewQuery.of(parameters, store, now);
    List<Series> matched = query.selector().select("series", store, maxSeries);
    OverviewRows rows = new OverviewRows(query, store, limits, now);
    List<OverviewRow> page = page(query, matched, rows);
    requireCells(page.size(), query.spark().steps());
    ExactSelectors selectors = new ExactSelectors(store.livingSeries());
    JsonArray series = new JsonArray();
    for (OverviewRow row : page) {
      series.add(
          json(row, selectors.of(row.series()), verdicts)
              .put("spark", spark(row, query.spark(), rows)));
    }
    TimeRange range = query.range();
    JsonObject data = new JsonObject();
    if (range == null) {
      data.put("window", query.window());
    } else {
      data.put("range", range.json());
    }
    return Envelope.success(data.put("total", matched.size()).put("series", series));
  }

  private static List<OverviewRow> page(
      OverviewQuery query, List<Series> matched, OverviewRows rows) throws ApiException {
    if (query.sort() == OverviewQuery.Sort.NAME) {
      return rows.of(slice(matched, query));
    }
    List<OverviewRow> all = rows.of(matched);
    all.sort(OverviewRow.orderBy(query.sort()));
    return slice(all, query);
  }

  private static <T> List<T> slice(List<T> all, OverviewQuery query) {
    int from = Math.min(all.size(), query.offset());
    return all.subList(from, Math.min(all.size(), from + query.limit()));
  }

  private void requireCells(int series, int points) throws ApiException {
    if ((long) series * points > limits.maxCells()) {
      throw ApiException.tooCostly(
          "points",
          series
              + " series of "
              + points
              + " points are more than "
              + limits.maxCells()
              + " (query.max-cells); ask for fewer points, or for fewer series with limit");
    }
  }

  private @Nullable JsonObject spark(OverviewRow row, SparkLine line, OverviewRows rows)
      throws ApiException {
    if (!store.keepsHistory()) {
      return null;
    }
    PastCounts past = row.past();
    return line.json((past == null ? rows.past(row.series(), line.range()) : past).kept());
  }

  private static JsonObject json(OverviewRow row, String selector, SeriesVerdicts verdicts) {
    Series series = row.series();
    JsonObject labels = new JsonObject();
    series.key().labels().forEach(labels::put);
    boolean empty = row.count() == 0;
    SlaState sla = verdicts.worstOf(series);
    return new JsonObject()
        .put("name", series.key().name())
        .put("labels", labels)
        .put("selector", selector)
        .put("unit", series.unit().symbol())
        .put("count", row.count())
        .put("ratePerSecond", row.count() / row.seconds())
        .put("p50", empty ? null : row.p50())
        .put("p99", empty ? null : row.p99())
        .put("max", empty ? null : row.max())
        .put("lastSeen", series.lastSeen().toString())
        .put("sla", sla == null ? null : sla.text());
  }
}
