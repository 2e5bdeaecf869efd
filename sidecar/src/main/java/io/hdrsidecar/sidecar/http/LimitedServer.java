package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server of this program: HTTP/1.1, and HTTP/2 for one that adds it, within limits, over TLS if
 * that is configured. Deploy it once; {@link #actualPort} tells where it listens when the
 * deployment has completed, which fails when the address is taken or a certificate cannot be used.
 * Renewed certificates are taken up without a restart.
 */
public abstract class LimitedServer extends VerticleBase {
  private static final long SWEEP_MILLIS = 1000;

  private final String listener;
  private final String host;
  private final int port;
  private final AccessConfig accessConfig;
  private final HttpLimits limits;
  private final HeapShare share;
  private final MetricRegistry registry;
  private @Nullable HttpServer server;

  /**
   * A server, not yet listening.
   *
   * @param listener what the log calls it
   * @param port 0 takes a free one
   * @param share of the heap for connections and headers
   * @param registry counts connections that are ended
   */
  protected LimitedServer(
      String listener,
      String host,
      int port,
      AccessConfig access,
      HttpLimits limits,
      HeapShare share,
      MetricRegistry registry) {
    this.listener = listener;
    this.host = host;
    this.port = port;
    this.accessConfig = access;
    this.limits = limits;
    this.share = share;
    this.registry = registry;
  }

  /**
   * Makes what answers, before the server listens. On its event loop.
   *
   * @param access what those who ask must show
   * @param watch ends connections that take too long
   */
  protected abstract Handler<HttpServerRequest> handler(Access access, ConnectionWatch watch);

  @Override
  public final Future<?> start() {
    return Access.open(listener, accessConfig, vertx).compose(this::listen);
  }

  private Future<HttpServer> listen(Access access) {
    ConnectionWatch watch =
        new ConnectionWatch(limits, share, !Loopback.isAt(host), registry, System::nanoTime);
    OnDemandTimer sweeps = new OnDemandTimer(vertx, SWEEP_MILLIS, watch::sweep);
    Handler<HttpServerRequest> handler = handler(access, watch);
    HttpServerOptions options = options(watch.takesHttp2());
    access.applyTls(options);
    HttpServer listening =
        vertx
            .createHttpServer(options)
            .connectionHandler(
                connection -> {
                  watch.opened(connection);
                  sweeps.wake();
                })
            .exceptionHandler(access::connectionFailed)
            .invalidRequestHandler(this::refuseUnreadable)
            .requestHandler(
                request -> {
                  if (watch.began(request)) {
                    handler.handle(request);
                  } else {
                    Failures.refuseBusy(request);
                  }
                });
    access.onTlsChange(listening::updateSSLOptions);
    server = listening;
    return listening
        .listen(port, host)
        .recover(e -> Future.failedFuture(listenFailure(host, port, e)));
  }

  /** Why it cannot listen there, with the settings that say where. */
  protected ListenException listenFailure(String host, int port, Throwable cause) {
    return ListenException.of(listener, host, port, cause);
  }

  /**
   * For Vert.x HTTP/1.1 alone, which is what Prometheus, curl, kubelets and API servers speak: many
   * streams on one connection need limits of their own, which {@link Http2Connection} has. The
   * versions are what {@link io.hdrsidecar.sidecar.access.Handshakes} offers to those who encrypt.
   */
  private HttpServerOptions options(boolean withHttp2) {
    return new HttpServerOptions()
        .setHttp2ClearTextEnabled(false)
        .setUseAlpn(false)
        .setAlpnVersions(
            withHttp2
                ? List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1)
                : List.of(HttpVersion.HTTP_1_1))
        .setMaxInitialLineLength(limits.maxHeaderBytes())
        .setMaxHeaderSize(limits.maxHeaderBytes());
  }

  /** Answers what cannot be read as a request, such as one whose headers are too long. */
  protected void refuseUnreadable(HttpServerRequest request) {
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }

  /** The port listened on; the configured one, unless that is 0. */
  public final int actualPort() {
    return server().orElseThrow(() -> new IllegalStateException("not started")).actualPort();
  }

  /** The server; empty before it was started. */
  protected final Optional<HttpServer> server() {
    return Optional.ofNullable(server);
  }
}
