package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.api.TokenCheck;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.Failures;
import io.hdrsidecar.sidecar.http.LimitedServer;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/** Where a gateway is looked at: {@code /metrics}, {@code /-/healthy}, {@code /-/ready}. */
final class GatewayServer extends LimitedServer {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpConfig config;
  private final MetricRegistry registry;
  private final Supplier<String> trouble;

  /**
   * A server, not yet listening.
   *
   * @param trouble why it is not ready; empty if it is
   */
  GatewayServer(
      HttpConfig config, HeapShare share, MetricRegistry registry, Supplier<String> trouble) {
    super("http", config.host(), config.port(), config.access(), config.limits(), share, registry);
    this.config = config;
    this.registry = registry;
    this.trouble = trouble;
  }

  @Override
  protected Handler<HttpServerRequest> handler(Access access, ConnectionWatch watch) {
    Router router = Router.router(vertx);
    router.route().failureHandler(Failures::answer);
    router
        .route()
        .handler(new TokenCheck(access, config.openMetrics()))
        .failureHandler(Failures::answer);
    route(router, "/-/healthy", context -> text(context, 200, "healthy\n"));
    route(router, "/-/ready", this::ready);
    route(router, "/metrics", context -> text(context, 200, registry.text()));
    router.errorHandler(400, Failures::answer);
    router.errorHandler(404, Failures::answer);
    router.errorHandler(500, Failures::answer);
    return router;
  }

  private static void route(Router router, String path, Handler<RoutingContext> handler) {
    router.route(HttpMethod.GET, path).handler(handler).failureHandler(Failures::answer);
    router.route(HttpMethod.HEAD, path).handler(handler).failureHandler(Failures::answer);
    router.route(path).handler(context -> Failures.refuseMethod(context, "GET, HEAD"));
  }

  private void ready(RoutingContext context) {
    String reason = trouble.get();
    text(context, reason.isEmpty() ? 200 : 503, reason.isEmpty() ? "ready\n" : reason + "\n");
  }

  private static void text(RoutingContext context, int status, String text) {
    context.response().setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, TEXT).end(text);
  }

  @Override
  public Future<?> stop() {
    return server().map(HttpServer::close).orElseGet(Future::succeededFuture);
  }
}
