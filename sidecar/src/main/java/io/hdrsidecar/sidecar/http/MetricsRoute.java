package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.expose.Page;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.query.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Serves {@code /metrics}, one scrape at a time, on a worker. */
final class MetricsRoute implements Handler<RoutingContext> {
  /**
   * Pages being waited for, written or sent. More than a few Prometheus servers never ask at once;
   * whoever comes then is told. Who reads slowly holds a page, until http.request-timeout.
   */
  static final int MAX_PAGES = 16;

  private final Exposition exposition;
  private final WorkerExecutor worker;
  private final LastPage lastPage;
  private final AtomicInteger pages = new AtomicInteger();

  /**
   * A route.
   *
   * @param lastPage told of each page
   */
  MetricsRoute(Exposition exposition, WorkerExecutor worker, LastPage lastPage) {
    this.exposition = exposition;
    this.worker = worker;
    this.lastPage = lastPage;
  }

  @Override
  public void handle(RoutingContext context) {
    if (pages.incrementAndGet() > MAX_PAGES) {
      pages.decrementAndGet();
      context.fail(new ApiException(503, "unavailable", "too many scrapes at once: " + MAX_PAGES));
      return;
    }
    long askedNanos = System.nanoTime();
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean gzip = acceptsGzip(context.request().getHeader(HttpHeaders.ACCEPT_ENCODING));
    worker
        .executeBlocking(() -> exposition.render(accept, gzip), false)
        .compose(page -> send(context, page))
        .onComplete(done -> pages.decrementAndGet())
        .onSuccess(sent -> sent(context.request().method(), askedNanos))
        .onFailure(failed -> fail(context, failed));
  }

  /** Who went away before the page was sent is told nothing. */
  private static void fail(RoutingContext context, Throwable failed) {
    OutOfMemory.endIfIn(failed);
    if (!context.response().headWritten()) {
      context.fail(failed);
    }
  }

  private static Future<Void> send(RoutingContext context, Page page) {
    HttpServerResponse response = context.response();
    if (page.gzipped()) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, page.contentType())
        .putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding")
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(page.length()));
    if (context.request().method().equals(HttpMethod.GET)) {
      page.chunks().forEach(response::write);
    }
    return response.end();
  }

  private void sent(HttpMethod method, long askedNanos) {
    if (method.equals(HttpMethod.GET)) {
      lastPage.sent(askedNanos);
    }
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
