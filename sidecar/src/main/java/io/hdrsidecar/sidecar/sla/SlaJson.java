package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.sla.PastVerdict.Interval;
import io.hdrsidecar.sidecar.sla.PastVerdict.RowIntervals;
import io.hdrsidecar.sidecar.sla.SlaStatus.WindowStatus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verdicts as JSON. Values are in the unit of the series, times in RFC 3339. */
final class SlaJson {
  private SlaJson() {}

  static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  static JsonObject of(SlaStatus status) {
    SlaRule rule = status.rule();
    Unit unit = status.unit();
    BigDecimal objective = rule.objective();
    JsonArray windows = new JsonArray();
    status.windows().forEach(window -> windows.add(of(window)));
    return new JsonObject()
        .put("name", rule.name())
        .put("selector", rule.selector())
        .put("evaluatedAt", status.at().toString())
        .put("trouble", status.trouble().isEmpty() ? null : status.trouble())
        .put("series", new JsonArray(status.series()))
        .put("unit", unit == null ? null : unit.symbol())
        .put("limits", limits(rule))
        .put("objective", objective == null ? null : plain(objective))
        .put("windows", windows)
        .put(
            "total",
            new JsonObject()
                .put("since", status.totalSince().toString())
                .put("rows", rows(status.total(), List.of())));
  }

  private static JsonArray limits(SlaRule rule) {
    JsonArray limits = new JsonArray();
    for (SlaLimit limit : rule.limits()) {
      limits.add(
          new JsonObject().put("percentile", plain(limit.percentile())).put("limit", limit.text()));
    }
    return limits;
  }

  private static JsonObject of(WindowStatus window) {
    return new JsonObject()
        .put("window", window.window())
        .put("rows", rows(window.rows(), window.since()));
  }

  private static JsonArray rows(List<Row> rows, List<Instant> since) {
    JsonArray all = new JsonArray();
    for (int i = 0; i < rows.size(); i++) {
      JsonObject row = of(rows.get(i));
      all.add(since.isEmpty() ? row : row.put("since", since.get(i).toString()));
    }
    return all;
  }

  private static JsonObject of(Row row) {
    return new JsonObject()
        .put("percentile", plain(row.limit().percentile()))
        .put("limit", row.limitInUnit())
        .put("snappedLimit", row.snappedLimit())
        .put("actual", row.actual())
        .put("margin", row.snappedLimit() - row.actual())
        .put("met", row.met())
        .put("events", row.events())
        .put("good", row.good())
        .put("ratio", (double) row.good() / row.events())
        .put("budgetLeft", budgetLeft(row));
  }

  /** Without an exponent: 100 and not 1E+2. */
  private static BigDecimal plain(BigDecimal percentile) {
    return percentile.scale() < 0 ? percentile.setScale(0) : percentile;
  }

  /**
   * Which share of the events that may be bad is not: 1 while none is, below 0 when too many are.
   * None for the maximum, of which none may be.
   */
  private static @Nullable Double budgetLeft(Row row) {
    double allowed = SlaLimit.MAXIMUM.subtract(row.limit().percentile()).doubleValue() / 100;
    return allowed == 0 ? null : 1 - (row.events() - row.good()) / (allowed * row.events());
  }

  /** A past of which nothing is known. */
  static JsonObject ofNothing() {
    return of(PastVerdict.NOTHING, true, List.of());
  }

  /**
   * A verdict on the past.
   *
   * @param isWhole whether all was read; of less than that nobody knows if the limits were met
   * @param warnings that the answer needs; may be empty
   */
  static JsonObject of(PastVerdict past, boolean isWhole, List<String> warnings) {
    HistoryRange range = past.range();
    boolean empty = range.intervals() == 0;
    JsonArray rows = rows(past.rows(), List.of());
    for (int i = 0; i < rows.size(); i++) {
      JsonObject row = rows.getJsonObject(i);
      add(row, past.intervals().get(i));
      if (!isWhole) {
        row.putNull("met");
      }
    }
    JsonObject json =
        new JsonObject()
            .put("start", empty ? null : time(range.fromMillis()))
            .put("end", empty ? null : time(range.toMillis()))
            .put("intervals", range.intervals())
            .put("resolutionSeconds", range.longestMillis() / 1000.0)
            .put("rows", rows);
    return warnings.isEmpty() ? json : json.put("warnings", new JsonArray(warnings));
  }

  private static void add(JsonObject row, RowIntervals intervals) {
    row.put("brokenIntervals", intervals.broken())
        .put("lastBroken", of(intervals.lastBroken()))
        .put("worst", of(intervals.worst()));
  }

  private static @Nullable JsonObject of(@Nullable Interval interval) {
    if (interval == null) {
      return null;
    }
    return new JsonObject()
        .put("start", time(interval.startMillis()))
        .put("end", time(interval.endMillis()))
        .put("series", interval.series())
        .put("actual", interval.actual())
        .put("events", interval.events());
  }
}
