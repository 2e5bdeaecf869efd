package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Answers {@code GET /api/v1/series}: what there is to ask for. */
public final class SeriesAnswers {
  static final String ALL = "{__name__=~\".+\"}";

  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public SeriesAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Lists all series, or those that {@code series=SELECTOR} chooses; none is no error. Any thread.
   *
   * @throws QueryException for a bad parameter
   */
  public Answer answer(Parameters parameters) throws QueryException {
    Selector selector = Selector.of("series", parameters.get("series", ALL));
    List<Series> chosen = scope.select("series", selector);
    JsonPart all =
        json -> {
          json.beginArray();
          for (Series series : chosen) {
            json.write(json(series));
          }
          json.endArray();
        };
    return Envelope.success(all, scope.claim());
  }

  /** What {@link #answer} needs of series that are elsewhere. */
  public static NeededSeries needs(Parameters parameters) throws QueryException {
    Selector selector = Selector.of("series", parameters.get("series", ALL));
    return NeededSeries.of(List.of(selector.filter()), NeededSeries.Counts.NAMES);
  }

  private static JsonObject json(Series series) {
    JsonObject labels = new JsonObject();
    series.key().labels().forEach(labels::put);
    JsonArray layouts = new JsonArray();
    series.layouts().forEach(layout -> layouts.add(json(layout)));
    return new JsonObject()
        .put("name", series.key().name())
        .put("labels", labels)
        .put("unit", series.unit().symbol())
        .put("help", series.help())
        .put("metric", series.metricNames().cumulative())
        .put("createdAt", series.createdAt().toString())
        .put("lastSeen", series.lastSeen().toString())
        .put("intervals", series.intervals())
        .put("layouts", layouts);
  }

  private static JsonObject json(BucketLayout layout) {
    return layout.isHdr()
        ? new JsonObject()
            .put("lowestDiscernibleValue", layout.lowestDiscernibleValue())
            .put("significantDigits", layout.significantDigits())
        : new JsonObject().put("buckets", layout.toString());
  }
}
