package io.hdrsidecar.sidecar.selfmetrics;

import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the servers of a Vert.x, as it tells of them: of each on the thread of its
 * connection.
 */
final class RequestMetrics implements VertxMetrics {
  /**
   * Those of RFC 9110, and PATCH. A stranger that can connect may make up as many as he likes, and
   * each would be a metric for good.
   */
  private static final Set<HttpMethod> METHODS =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.POST,
          HttpMethod.PUT,
          HttpMethod.DELETE,
          HttpMethod.CONNECT,
          HttpMethod.OPTIONS,
          HttpMethod.TRACE,
          HttpMethod.PATCH);

  private static final double NANOS = 1e9;

  private final MetricRegistry registry;
  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong active = new AtomicLong();
  private final LongAdder aborted;

  RequestMetrics(MetricRegistry registry) {
    this.registry = registry;
    registry.add(Metric.gauge("http.connections", "HTTP connections", connections::get));
    registry.add(Metric.gauge("http.requests.active", "HTTP requests being answered", active::get));
    aborted =
        registry.counter(
            "http.requests.aborted", "HTTP requests whose connection ended before the answer did");
  }

  @Override
  public HttpServerMetrics<?, ?, ?> createHttpServerMetrics(
      HttpServerOptions options, SocketAddress address) {
    return new Server();
  }

  /** What Vert.x hands back with each thing it tells of a request. */
  private static final class Request {
    final long startNanos = System.nanoTime();
    final String method;
    String route = "";
    int code;
    boolean over;

    Request(String method) {
      this.method = method;
    }
  }

  private final class Server implements HttpServerMetrics<Request, Void, Server> {
    @Override
    public Server connected(SocketAddress remote, String name) {
      connections.incrementAndGet();
      return this;
    }

    @Override
    public void disconnected(Server server, SocketAddress remote) {
      connections.decrementAndGet();
    }

    @Override
    public Request requestBegin(Server server, HttpRequest request) {
      active.incrementAndGet();
      HttpMethod method = request.method();
      return new Request(METHODS.contains(method) ? method.name() : "other");
    }

    /** The last route that took it is the one that answers; one for any path has no name. */
    @Override
    public void requestRouted(Request request, @Nullable String route) {
      if (route != null) {
        request.route = route;
      }
    }

    @Override
    public void responseBegin(Request request, HttpResponse response) {
      request.code = response.statusCode();
    }

    @Override
    public void responseEnd(Request request, HttpResponse response, long bytes) {
      if (!end(request)) {
        return;
      }
      registry
          .summary(
              "http.request.duration.seconds",
              "HTTP requests answered, and the time from their headers to the end of the answer",
              "method",
              request.method,
              "route",
              request.route,
              "code",
              Integer.toString(request.code))
          .add((System.nanoTime() - request.startNanos) / NANOS);
    }

    @Override
    public void requestReset(Request request) {
      if (end(request)) {
        aborted.increment();
      }
    }

    /** Vert.x tells of an end when a connection fails, and again when it closes. */
    private boolean end(Request request) {
      if (request.over) {
        return false;
      }
      request.over = true;
      active.decrementAndGet();
      return true;
    }
  }
}
