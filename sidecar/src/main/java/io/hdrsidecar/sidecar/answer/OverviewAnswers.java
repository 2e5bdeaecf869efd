package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.query.SeriesVerdicts;
import io.hdrsidecar.sidecar.query.SlaState;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers {@code GET /api/v1/overview}: all series side by side, each with the few statistics that
 * one looks at first, and a small picture of its last minutes. Of a range of time, also those that
 * have ended since.
 *
 * <p>The statistics of a series are of one moment: its count, percentiles and maximum belong
 * together. Those of two series are not; they are read one after the other.
 */
public final class OverviewAnswers {
  /** A series in the list, and its statistics. */
  private static final long ROW_BYTES = 192;

  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public OverviewAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Answers one query; that nothing matches is no error. Any thread. Of a window, O(1) for each
   * series shown, and for each that matches if they are ordered by a statistic; of a range, in
   * proportion to the buckets of all their intervals in it. A picture costs O(1) for each interval.
   *
   * @throws QueryException when a parameter is wrong, or it would cost too much
   */
  public Answer answer(Parameters parameters, SeriesVerdicts verdicts, Instant now)
      throws QueryException {
    SeriesStore store = scope.store();
    OverviewQuery query = OverviewQuery.of(parameters, store, now);
    List<Series> living = scope.select("series", query.selector());
    TimeRange range = query.range();
    if (range == null) {
      OverviewRows rows = new OverviewRows(query, scope, PastSource.NOTHING, now);
      JsonObject data = new JsonObject().put("window", query.window());
      return Envelope.success(
          shown(data, query, OverviewSeries.living(living), List.of(), rows, verdicts),
          scope.claim());
    }
    PastCounts.requireHistory(store.past().isKept());
    try (PastReading reading = store.past().source().open(range.startMillis(), range.endMillis())) {
      OverviewRows rows = new OverviewRows(query, scope, reading, now);
      List<OverviewSeries> matched =
          OverviewSeries.ofRange(query.selector(), living, reading, range, scope);
      JsonObject data = new JsonObject().put("range", PastJson.range(range));
      List<SeriesKey> past = reading.series().stream().map(PastSeries::key).toList();
      shown(data, query, matched, past, rows, verdicts);
      return Envelope.success(data, rows::warnings, scope.claim());
    }
  }

  /**
   * What {@link #answer} needs of series that are elsewhere.
   *
   * @param judged those of which there are verdicts
   */
  public static NeededSeries needs(
      Parameters parameters, List<SeriesFilter> judged, QueryScope scope, Instant now)
      throws QueryException {
    OverviewQuery query = OverviewQuery.of(parameters, scope.store(), now);
    List<SeriesFilter> filters = new ArrayList<>(judged);
    filters.add(query.selector().filter());
    // Selectors are made to fit one series and no other, of whatever name.
    NeededSeries needs = NeededSeries.of(filters, NeededSeries.Counts.WINDOWS).withAllNames();
    TimeRange range = query.range();
    return range == null ? needs : needs.with(range);
  }

  private JsonObject shown(
      JsonObject data,
      OverviewQuery query,
      List<OverviewSeries> matched,
      List<SeriesKey> past,
      OverviewRows rows,
      SeriesVerdicts verdicts)
      throws QueryException {
    scope.claim().grow(ROW_BYTES * matched.size());
    List<OverviewRow> page = page(query, matched, rows);
    if (query.figures()) {
      requireCells(page.size(), query.spark().steps());
    }
    List<SeriesKey> all = new ArrayList<>(past);
    scope.store().livingSeries().forEach(each -> all.add(each.key()));
    ExactSelectors selectors = new ExactSelectors(all);
    JsonPart series =
        json -> {
          json.beginArray();
          for (OverviewRow row : page) {
            JsonObject one = json(row, query, selectors.of(row.series().key()), verdicts);
            rows.addTimes(one, row);
            json.write(one.put("spark", rows.spark(row)));
          }
          json.endArray();
        };
    return data.put("total", matched.size()).put("series", series);
  }

  private static List<OverviewRow> page(
      OverviewQuery query, List<OverviewSeries> matched, OverviewRows rows) throws QueryException {
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

  private void requireCells(int series, int points) throws QueryException {
    if ((long) series * points > scope.limits().maxCells()) {
      throw QueryException.tooCostly(
          "points",
          series
              + " series of "
              + points
              + " points are more than "
              + scope.limits().maxCells()
              + " (query.max-cells); ask for fewer points, or for fewer series with limit");
    }
  }

  private static JsonObject json(
      OverviewRow row, OverviewQuery query, String selector, SeriesVerdicts verdicts) {
    OverviewSeries series = row.series();
    JsonObject labels = new JsonObject();
    series.key().labels().forEach(labels::put);
    Series living = series.living();
    SlaState sla = living == null ? null : verdicts.worstOf(living);
    JsonObject json =
        new JsonObject()
            .put("name", series.key().name())
            .put("labels", labels)
            .put("selector", selector)
            .put("unit", series.unit().symbol());
    if (query.range() != null) {
      json.put("ended", series.hasEnded());
    }
    PastCounts past = row.past();
    if (past != null) {
      json.put("covered", PastJson.coverage(past));
    }
    row.statistics()
        .addTo(json)
        .put("lastSeen", series.lastSeen().toString())
        .put("sla", sla == null ? null : sla.text())
        .put("exemplars", ExemplarsJson.of(living == null ? List.of() : living.exemplars()));
    return json;
  }
}
