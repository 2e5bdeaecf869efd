package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.StoreStatus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.TreeMap;

/** Serves {@code /api/v1/status}, {@code /-/healthy} and {@code /-/ready}. */
final class StatusRoute {
  private final HttpConfig config;
  private final SeriesStore store;
  private final StatusSource source;

  StatusRoute(HttpConfig config, SeriesStore store, StatusSource source) {
    this.config = config;
    this.store = store;
    this.source = source;
  }

  void status(RoutingContext context) {
    StoreStatus now = store.status();
    JsonObject rejected = new JsonObject();
    now.rejected().forEach((reason, count) -> rejected.put(reason.label(), count));
    JsonObject settings = new JsonObject();
    new TreeMap<>(source.config()).forEach(settings::put);
    JsonObject data =
        new JsonObject()
            .put("version", source.version())
            .put("java", System.getProperty("java.version"))
            .put("startedAt", source.startedAt().toString())
            .put("ready", source.isReady())
            .put("trouble", source.trouble())
            .put("series", now.series())
            .put("overflowSeries", now.overflowSeries())
            .put("expiredSeries", now.expired())
            .put("intervals", now.intervals())
            .put("values", now.values())
            .put("rejected", rejected)
            .put("countsBytes", now.bytes())
            .put("memory", memory(now))
            .put("history", HistoryStatus.of(store))
            .put("windows", windows())
            .put("limits", limits(now))
            .put("config", settings);
    if (!source.upstream().isEmpty()) {
      data.put("upstream", new JsonObject(new TreeMap<>(source.upstream())));
    }
    QueryRoutes.send(context, Envelope.success(data));
  }

  /** In numbers: settings may say {@code 35%} or {@code auto}. */
  private JsonObject limits(StoreStatus now) {
    return new JsonObject()
        .put("series", now.maxSeries())
        .put("counters", store.config().maxCounters())
        .put("seriesBytes", now.memory().limitBytes())
        .put("historyBytes", source.memoryBound().maxBytes("history"))
        .put("bodyBytes", config.maxBodyBytes());
  }

  private JsonObject memory(StoreStatus now) {
    MemoryBound bound = source.memoryBound();
    JsonArray items = new JsonArray();
    bound
        .items()
        .forEach(
            item ->
                items.add(
                    new JsonObject()
                        .put("name", item.name())
                        .put("maxBytes", item.maxBytes())
                        .put("why", item.why())));
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new JsonObject()
        .put("boundBytes", bound.totalBytes())
        .put("items", items)
        .put("countsBytes", now.bytes())
        .put("seriesLimitBytes", now.memory().limitBytes())
        .put("seriesHeldBytes", now.memory().heldBytes())
        .put("windowBytes", now.memory().windowBytes())
        .put("seriesWithoutWindows", now.memory().seriesWithoutWindows())
        .put("givingUp", now.memory().pressure().label())
        .put("heapUsedBytes", heap.getUsed())
        .put("heapMaxBytes", heap.getMax());
  }

  private JsonArray windows() {
    JsonArray windows = new JsonArray();
    store
        .windows()
        .forEach(
            window ->
                windows.add(
                    new JsonObject()
                        .put("name", window.name())
                        .put("spanSeconds", window.span().toSeconds())
                        .put("stepSeconds", window.step().toSeconds())));
    return windows;
  }

  void healthy(RoutingContext context) {
    text(context, 200, "hdr-sidecar is healthy.\n");
  }

  void ready(RoutingContext context) {
    if (source.isReady()) {
      text(context, 200, "hdr-sidecar is ready.\n" + troubleLine());
    } else {
      text(context, 503, "hdr-sidecar is not ready.\n" + troubleLine());
    }
  }

  private String troubleLine() {
    String trouble = source.trouble();
    return trouble.isEmpty() ? "" : trouble + "\n";
  }

  private static void text(RoutingContext context, int status, String text) {
    context
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(text);
  }
}
