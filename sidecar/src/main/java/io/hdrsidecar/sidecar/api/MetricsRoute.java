package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.expose.PageFormat;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves {@code /metrics}. */
final class MetricsRoute implements Handler<RoutingContext> {
  /** The headers that decide about the page. */
  static final String VARY = "Accept, Accept-Encoding";

  private static final Pattern NO_GZIP = Pattern.compile("gzip;q=0(\\.0*)?");

  private final Exposition exposition;
  private final ScrapePages pages;
  private final LastPage lastPage;

  /**
   * A route.
   *
   * @param lastPage told of each page
   */
  MetricsRoute(Exposition exposition, ScrapePages pages, LastPage lastPage) {
    this.exposition = exposition;
    this.pages = pages;
    this.lastPage = lastPage;
  }

  @Override
  public void handle(RoutingContext context) {
    long askedNanos = System.nanoTime();
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean gzip = acceptsGzip(context.request().getHeader(HttpHeaders.ACCEPT_ENCODING));
    PageFormat format = exposition.format(accept, gzip);
    if (context.request().method().equals(HttpMethod.HEAD)) {
      context
          .response()
          .putHeader(HttpHeaders.CONTENT_TYPE, format.contentType())
          .putHeader(HttpHeaders.VARY, VARY)
          .end();
      return;
    }
    pages
        .send(format, context.request())
        .onSuccess(sent -> lastPage.sent(askedNanos))
        .onFailure(failed -> fail(context, failed));
  }

  /** A scraper that went away before the page was sent is told nothing. */
  private static void fail(RoutingContext context, Throwable failed) {
    OutOfMemory.endIfIn(failed);
    if (!context.response().headWritten() && !context.response().closed()) {
      context.fail(failed);
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
        return !NO_GZIP.matcher(compact).matches();
      }
    }
    return false;
  }
}
