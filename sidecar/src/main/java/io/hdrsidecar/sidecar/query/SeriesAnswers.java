package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Answers {@code GET /api/v1/series}: what there is to ask for. */
public final class SeriesAnswers {
  static final String ALL = "{__name__=~\".+\"}";

  private final SeriesStore store;
  private final int maxSeries;

  /**
   * Answers from this store.
   *
   * @param maxSeries most series one query may look at
   */
  public SeriesAnswers(SeriesStore store, int maxSeries) {
    this.store = store;
    this.maxSeries = maxSeries;
  }

  /**
   * Lists all series, or those that {@code series=SELECTOR} chooses; none is no error. Any thread.
   *
   * @throws ApiException for a bad parameter
   */
  public Answer answer(Parameters parameters) throws ApiException {
    parameters.requireOnly(List.of("series"), "");
    Selector selector = Selector.of("series", parameters.get("series", ALL));
    JsonArray all = new JsonArray();
    selector.select("series", store, maxSeries).forEach(series -> all.add(json(series)));
    return Envelope.success(all);
  }

  private static JsonObject json(Series series) {
    JsonObject labels = new JsonObject();
    series.key().labels().forEach(labels::put);
    JsonArray layouts = new JsonArray();
    series
        .layouts()
        .forEach(
            layout ->
                layouts.add(
                    new JsonObject()
                        .put("lowestDiscernibleValue", layout.lowestDiscernibleValue())
                        .put("significantDigits", layout.significantDigits())));
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
}
