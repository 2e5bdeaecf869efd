package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.expose.Page;
import io.hdrsidecar.sidecar.query.ApiException;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Serves {@code /metrics}, one scrape at a time, on a worker. */
final class MetricsRoute implements Handler<RoutingContext> {
  /** More than a few Prometheus servers never wait at once; whoever comes then is told. */
  private static final int MAX_WAITING = 16;

  private final Exposition exposition;
  private final WorkerExecutor worker;
  private final AtomicInteger waiting = new AtomicInteger();

  MetricsRoute(Exposition exposition, WorkerExecutor worker) {
    this.exposition = exposition;
    this.worker = worker;
  }

  @Override
  public void handle(RoutingContext context) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      context.fail(
          new ApiException(503, "unavailable", "too many scrapes at once: " + MAX_WAITING));
      return;
    }
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean gzip = acceptsGzip(context.request().getHeader(HttpHeaders.ACCEPT_ENCODING));
    worker
        .executeBlocking(() -> exposition.render(accept, gzip), false)
        .onComplete(done -> waiting.decrementAndGet())
        .onSuccess(page -> send(context.response(), page))
        .onFailure(context::fail);
  }

  private static void send(HttpServerResponse response, Page page) {
    if (page.gzipped()) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, page.contentType())
        .putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding")
        .end(page.body());
  }

  /** Whether gzip is named, and not with a weight of 0. */
  static boolean acceptsGzip(@Nullable String acceptEncoding) {
    if (acceptEncoding == null) {
      return false;
    }
    for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
      String compact = coding.replace(" ", "");
      if (compact.equals("gzip") || compact.startsWith("gzip;")) {
        return !compact.matches("gzip;q=0(\\.0*)?");
      }
    }
    return false;
  }
}
