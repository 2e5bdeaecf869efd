package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.expose.Exposition;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves HTTP. Deploy it once; {@link #actualPort} tells where it listens when the deployment has
 * completed, which fails when the address is taken.
 */
public final class HttpServerVerticle extends VerticleBase {
  private static final int IDLE_SECONDS = 120;
  private static final int QUERY_WORKERS = 2;
  private static final int MAX_LINE_BYTES = 16 * 1024;

  private final HttpConfig config;
  private final ExposeConfig exposeConfig;
  private final SeriesStore store;
  private final Executor mergeContext;
  private final PrometheusMeterRegistry registry;
  private final StatusSource status;
  private @Nullable HttpServer server;

  /**
   * A server, not yet listening.
   *
   * @param mergeContext runs tasks where the store may be written
   * @param registry the sidecar's own metrics
   */
  public HttpServerVerticle(
      HttpConfig config,
      ExposeConfig exposeConfig,
      SeriesStore store,
      Executor mergeContext,
      PrometheusMeterRegistry registry,
      StatusSource status) {
    this.config = config;
    this.exposeConfig = exposeConfig;
    this.store = store;
    this.mergeContext = mergeContext;
    this.registry = registry;
    this.status = status;
  }

  @Override
  public Future<?> start() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setIdleTimeout(IDLE_SECONDS)
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setMaxInitialLineLength(MAX_LINE_BYTES);
    HttpServer listening = vertx.createHttpServer(options).requestHandler(router());
    server = listening;
    return listening
        .listen(config.port(), config.host())
        .recover(
            e ->
                Future.failedFuture(
                    new IOException(
                        config.host() + ":" + config.port() + ": " + e.getMessage(), e)));
  }

  /** The port listened on; the configured one, unless that is 0. */
  public int actualPort() {
    HttpServer listening = server;
    if (listening == null) {
      throw new IllegalStateException("not started");
    }
    return listening.actualPort();
  }

  private Router router() {
    // Scrapes wait for one another and for nothing else: a long query must not delay them.
    WorkerExecutor scrapes = vertx.createSharedWorkerExecutor("hdr-sidecar-scrape", 1);
    WorkerExecutor queries = vertx.createSharedWorkerExecutor("hdr-sidecar-query", QUERY_WORKERS);
    QueryRoutes query = new QueryRoutes(store, queries);
    StatusRoute statusRoute = new StatusRoute(config, store, status);
    Router router = Router.router(vertx);
    Exposition exposition = new Exposition(exposeConfig, store, registry);
    route(router, HttpMethod.GET, "/metrics", new MetricsRoute(exposition, scrapes));
    route(router, HttpMethod.GET, "/api/v1/series", query::series);
    route(router, HttpMethod.GET, "/api/v1/histogram", query::histogram);
    route(router, HttpMethod.GET, "/api/v1/status", statusRoute::status);
    route(
        router,
        HttpMethod.POST,
        "/api/v1/intervals",
        new IntervalsRoute(store, mergeContext, queries, registry, config.maxBodyBytes(), status));
    route(router, HttpMethod.GET, "/-/healthy", statusRoute::healthy);
    route(router, HttpMethod.GET, "/-/ready", statusRoute::ready);
    router.errorHandler(400, Failures::answer);
    router.errorHandler(404, Failures::answer);
    router.errorHandler(500, Failures::answer);
    return router;
  }

  /** Other methods on the path are refused, naming the right one. GET serves HEAD too. */
  private static void route(
      Router router, HttpMethod method, String path, Handler<RoutingContext> handler) {
    router.route(method, path).handler(handler).failureHandler(Failures::answer);
    if (method.equals(HttpMethod.GET)) {
      router.route(HttpMethod.HEAD, path).handler(handler).failureHandler(Failures::answer);
    }
    String allowed = method.equals(HttpMethod.GET) ? "GET, HEAD" : method.name();
    router.route(path).handler(context -> Failures.refuseMethod(context, allowed));
  }
}
