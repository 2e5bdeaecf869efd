package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.Failures;
import io.hdrsidecar.sidecar.http.LimitedServer;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The webhook's HTTPS server.
 *
 * <p>{@code POST /mutate/annotated} is for pods that say themselves whether they want a sidecar,
 * {@code POST /mutate/all} for those of namespaces that want one: a review holds no more of the
 * namespace than its name, and the paths of webhooks have no parameters.
 */
public final class InjectServer extends LimitedServer {
  /** Reviews of the longest kind that are held at a time. */
  private static final int LONGEST_BODIES = 4;

  private static final String CERTIFICATE_EXPIRY = "inject.certificate.expiry.timestamp.seconds";

  private static final long SHUTDOWN_SECONDS = 5;
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final InjectConfig config;
  private final Injector injector;
  private final MetricRegistry registry;
  private final HeapShare share;
  private volatile boolean ending;

  /**
   * A server, not yet listening.
   *
   * @param component what pods get
   * @param registry what the process counts about itself
   */
  public InjectServer(InjectConfig config, Component component, MetricRegistry registry) {
    super(
        "inject",
        config.host(),
        config.port(),
        config.access(),
        config.limits(),
        HeapBudget.ofThisProcess().share(Use.HTTP),
        registry);
    this.config = config;
    this.injector = new Injector(component);
    this.registry = registry;
    this.share =
        HeapBudget.ofThisProcess()
            .share(Use.UPLOADS)
            .atMost(LONGEST_BODIES * RequestBody.costOf(config.maxBodyBytes()));
  }

  @Override
  protected Handler<HttpServerRequest> handler(Access access, ConnectionWatch watch) {
    registry.add(
        new Metric(
            CERTIFICATE_EXPIRY,
            "When the certificate in use ends, in seconds since the epoch",
            false,
            access::certificateExpirySeconds,
            List.of()));
    Router router = Router.router(vertx);
    router.route().failureHandler(Failures::answer);
    route(router, HttpMethod.POST, "/mutate/annotated", mutate(false));
    route(router, HttpMethod.POST, "/mutate/all", mutate(true));
    route(router, HttpMethod.GET, "/-/healthy", context -> text(context, 200, "healthy\n"));
    route(router, HttpMethod.GET, "/-/ready", this::ready);
    route(router, HttpMethod.GET, "/metrics", context -> text(context, 200, registry.text()));
    router.errorHandler(400, Failures::answer);
    router.errorHandler(404, Failures::answer);
    router.errorHandler(500, Failures::answer);
    return router;
  }

  private MutateRoute mutate(boolean byDefault) {
    return new MutateRoute(injector, byDefault, config.maxBodyBytes(), share, registry);
  }

  private static void route(
      Router router, HttpMethod method, String path, Handler<RoutingContext> handler) {
    router.route(method, path).handler(handler).failureHandler(Failures::answer);
    router.route(path).handler(context -> Failures.refuseMethod(context, method.name()));
  }

  private void ready(RoutingContext context) {
    text(context, ending ? 503 : 200, ending ? "ending\n" : "ready\n");
  }

  private static void text(RoutingContext context, int status, String text) {
    context.response().setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, TEXT).end(text);
  }

  /**
   * Says at {@code /-/ready} that it is about to end, and goes on answering: those who choose where
   * to send reviews need a moment to learn of it. Any thread.
   */
  public void announceEnd() {
    ending = true;
  }

  /** Takes no more connections, and gives requests under way a few seconds. */
  @Override
  public Future<?> stop() {
    return server()
        .map(listening -> listening.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS))
        .orElseGet(Future::succeededFuture);
  }
}
