package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.api.HttpRoutes.Offer;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.Failures;
import io.hdrsidecar.sidecar.http.LimitedServer;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Serves HTTP: scrapes, queries, uploads, the explorer. */
public final class HttpServerVerticle extends LimitedServer {
  private final HttpRoutes answers;
  private volatile @Nullable Access access;
  private volatile Set<String> routes = Set.of();

  /**
   * A server, not yet listening.
   *
   * @param reload reads the configuration again
   */
  public HttpServerVerticle(
      HttpConfig config, ExposeConfig exposeConfig, HttpContext shared, Reload reload) {
    this(
        config,
        shared,
        new HttpRoutes(
            config, exposeConfig, shared, InstantSource.system(), Offer.ALL, reload, null));
  }

  /**
   * A server over a store that somebody else fills: no uploads, no reload.
   *
   * @param peers of which series the store has some; the server is asked for them, and asks
   */
  public static HttpServerVerticle withoutUploads(
      HttpConfig config, ExposeConfig exposeConfig, HttpContext shared, SharedSeries peers) {
    return new HttpServerVerticle(
        config,
        shared,
        new HttpRoutes(
            config,
            exposeConfig,
            shared,
            InstantSource.system(),
            Offer.SCRAPES,
            Reload.NEVER,
            peers));
  }

  /**
   * A server over a store that nobody adds to: no uploads, no scrapes, no reload.
   *
   * @param slas evaluates the rules; not closed here
   * @param now what times such as {@code -5m} count from
   */
  public static HttpServerVerticle readOnly(
      HttpConfig config,
      SeriesStore store,
      MetricRegistry registry,
      StatusSource status,
      SlaEvaluator slas,
      InstantSource now) {
    HttpContext shared =
        new HttpContext(store, Runnable::run, registry, status, slas, HeapBudget.ofThisProcess());
    return new HttpServerVerticle(
        config,
        shared,
        new HttpRoutes(
            config, ExposeConfig.defaults(), shared, now, Offer.QUESTIONS, Reload.NEVER, null));
  }

  private HttpServerVerticle(HttpConfig config, HttpContext shared, HttpRoutes answers) {
    super(
        "http",
        config.host(),
        config.port(),
        config.access(),
        config.limits(),
        shared.heap().share(Use.HTTP),
        shared.registry());
    this.answers = answers;
  }

  @Override
  protected Handler<HttpServerRequest> handler(Access opened, ConnectionWatch watch) {
    access = opened;
    Router router = answers.start(vertx, opened, watch);
    routes = RoutedPaths.of(router);
    return router;
  }

  /** Says which setting a request that is too long goes beyond. */
  @Override
  protected void refuseUnreadable(HttpServerRequest request) {
    Failures.refuseUnreadable(request);
  }

  /** Completes when a scrape that begins from now on has been answered. Any thread. */
  public Future<Void> nextScrape() {
    return answers.nextScrape();
  }

  /** Shows series in another way from the next scrape on. Any thread. */
  public void expose(ExposeConfig newConfig) {
    answers.expose(newConfig);
  }

  /** The proof that those who ask must show, once started. Any thread. */
  public Optional<Access> access() {
    return Optional.ofNullable(access);
  }

  /**
   * Live streams are told that this is the end; then the server closes, and before the workers do:
   * who asks at the last moment is cut off, and not told of an error that is none.
   */
  @Override
  public Future<?> stop() {
    return answers
        .end()
        .compose(done -> server().map(HttpServer::close).orElseGet(Future::succeededFuture));
  }

  /** Everything it answers, such as {@code GET /metrics}; empty before it has started. */
  Set<String> routes() {
    return routes;
  }
}
