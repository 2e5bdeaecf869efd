package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.Percentiles;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.query.SeriesJoin;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers {@code GET /api/v1/compare}: two selections, percentile by percentile. Each has a range
 * of its own, or all that was counted since start. They are not added up, so any two may be
 * compared whose values have one unit: response with service time, raw with corrected, today with
 * yesterday.
 */
public final class CompareAnswers {
  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public CompareAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Answers one query. Any thread; costs what two queries for the histograms do.
   *
   * @throws QueryException when a parameter is wrong, nothing matches, or units differ
   */
  public Answer answer(Parameters parameters, Instant now) throws QueryException {
    List<BigDecimal> percentiles =
        Percentiles.parse(
            parameters.get(Percentiles.PARAMETER, HistogramQuery.DEFAULT_PERCENTILES));
    SeriesJoin a = side(parameters, "a", now);
    SeriesJoin b = side(parameters, "b", now);
    if (a.selection().unit() != b.selection().unit()) {
      throw QueryException.badParameter(
          "b",
          "must have the unit of a to be compared with it: "
              + b.selection().unit().symbol()
              + ", and a has "
              + a.selection().unit().symbol());
    }
    JsonArray rows = new JsonArray();
    for (BigDecimal percentile : percentiles) {
      rows.add(row(percentile, a.distribution(), b.distribution()));
    }
    JsonObject data =
        new JsonObject()
            .put("unit", a.selection().unit().symbol())
            .put("a", json(a))
            .put("b", json(b))
            .put("percentiles", rows);
    List<String> warnings = new ArrayList<>();
    warn(warnings, "a", a);
    warn(warnings, "b", b);
    return Envelope.success(data, () -> warnings, scope.claim());
  }

  /** What {@link #answer} needs of series that are elsewhere. */
  public static NeededSeries needs(Parameters parameters, Instant now) throws QueryException {
    List<SeriesFilter> filters = new ArrayList<>();
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (String name : List.of("a", "b")) {
      filters.add(Selector.of(name, parameters.require(name)).filter());
      if (TimeRange.isAsked(parameters, name + "Start", name + "End")) {
        TimeRange range = TimeRange.of(parameters, name + "Start", name + "End", now);
        from = Math.min(from, range.startMillis());
        to = Math.max(to, range.endMillis());
      }
    }
    return NeededSeries.of(filters, NeededSeries.Counts.TOTALS).with(from, to);
  }

  private SeriesJoin side(Parameters parameters, String name, Instant now) throws QueryException {
    Selector selector = Selector.of(name, parameters.require(name));
    String start = name + "Start";
    String end = name + "End";
    boolean ranged = TimeRange.isAsked(parameters, start, end);
    TimeRange range = TimeRange.of(parameters, start, end, now);
    return ranged
        ? SeriesJoin.ofRange(name, selector, range, scope)
        : SeriesJoin.ofTotal(SeriesSelection.of(name, selector, scope), scope);
  }

  private static JsonObject row(BigDecimal percentile, Distribution a, Distribution b) {
    // 0 of nothing: such a value is not shown.
    long ofA = a.count() == 0 ? 0 : Percentiles.valueAt(a, percentile);
    long ofB = b.count() == 0 ? 0 : Percentiles.valueAt(b, percentile);
    boolean comparable = a.count() > 0 && b.count() > 0 && ofA != 0;
    return new JsonObject()
        .put("percentile", Percentiles.plain(percentile))
        .put("a", a.count() == 0 ? null : ofA)
        .put("b", b.count() == 0 ? null : ofB)
        .put("ratio", comparable ? (double) ofB / ofA : null);
  }

  private static JsonObject json(SeriesJoin side) {
    Distribution counts = side.distribution();
    PastCounts past = side.past();
    boolean empty = counts.count() == 0;
    return new JsonObject()
        .put("series", PastJson.names(side.selection()))
        .put("range", past == null ? null : PastJson.range(past.asked()))
        .put("covered", past == null ? null : PastJson.coverage(past))
        .put("count", counts.count())
        .put("min", empty ? null : counts.min())
        .put("max", empty ? null : counts.max());
  }

  private static void warn(List<String> warnings, String name, SeriesJoin side) {
    PastCounts past = side.past();
    (past == null ? side.distribution().notes() : past.warnings())
        .forEach(warning -> warnings.add(name + ": " + warning));
  }
}
