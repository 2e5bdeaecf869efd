package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.config.OtlpConfig;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.http.LimitedServer;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.plain.PlainSource;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens where OTLP's exporters send, on a port of its own. Requests are read by an event loop and
 * taken apart by one worker thread, one after another; each is answered when it is merged, and in
 * the journal if there is one.
 *
 * <p>Connections, bodies and what is remembered of streams have each a part of the share for OTLP,
 * so none of them takes the room of another.
 */
public final class OtlpServer extends LimitedServer {
  private static final Logger LOG = System.getLogger(OtlpServer.class.getName());
  private static final long SHUTDOWN_SECONDS = 3;
  private static final long EXPIRES_EVERY_MILLIS = 1000;
  private static final int EIGHTHS = 8;
  private static final int STREAM_EIGHTHS = 3;

  /** What a body takes at most: as it came, unpacked, and twice that as protobuf. */
  private static final int BODY_TIMES = 4;

  private final JournaledRequests journaled;
  private final HeapShare bodies;
  private final HeapClaim streamClaim;
  private final HeapClaim plainClaim;
  private final @Nullable PlainSource plain;
  private final InstantSource clock = InstantSource.system();
  private final int maxBody;
  private final OtlpCounters counters = new OtlpCounters();
  private final OtlpLog log = new OtlpLog(System::nanoTime);
  private final PointMerger merger;
  private final CumulativeStreams streams;
  private final OtlpIntake intake;
  private @Nullable WorkerExecutor worker;

  /**
   * A server, not yet listening.
   *
   * @param limits of connections and headers, as for other HTTP
   * @param mergeContext the thread that owns the store
   * @param share of the heap for OTLP
   * @param registry counts connections that are ended
   * @param families get counters and gauges; null where nobody keeps any
   */
  public OtlpServer(
      OtlpConfig config,
      HttpLimits limits,
      SeriesStore store,
      Executor mergeContext,
      HeapShare share,
      MetricRegistry registry,
      @Nullable PlainFamilies families) {
    super(
        "otlp",
        config.host(),
        config.port(),
        config.access(),
        limits,
        share.atMost(share.maxBytes() / EIGHTHS),
        registry);
    this.journaled = new JournaledRequests(store, mergeContext);
    this.bodies = share.atMost(share.maxBytes() / 2);
    this.maxBody = (int) Math.min(config.maxBodyBytes(), bodies.maxBytes() / BODY_TIMES);
    this.streamClaim = share.atMost(share.maxBytes() / EIGHTHS * STREAM_EIGHTHS).claim();
    this.plainClaim = streamClaim.another();
    this.plain =
        families == null || config.maxPlain() == 0
            ? null
            : families.source("OTLP", config.maxPlain(), plainClaim);
    this.streams = new CumulativeStreams(streamClaim, clock.millis());
    this.merger = new PointMerger(store, mergeContext, this::later, config.finestScale());
    this.intake =
        new OtlpIntake(
            new OtlpNaming(config.resourceLabels()),
            streams,
            merger,
            counters,
            new Rejections(counters, log, config.tellsNotKept()),
            clock,
            plain);
  }

  private void later(Runnable task) {
    vertx.setTimer(10, id -> task.run());
  }

  @Override
  protected Handler<HttpServerRequest> handler(Access access, ConnectionWatch watch) {
    WorkerExecutor ordered = vertx.createSharedWorkerExecutor("otlp", 1);
    worker = ordered;
    PlainSource expiring = plain;
    if (expiring != null) {
      expireLater(expiring, ordered);
    }
    OtlpRequests requests =
        new OtlpRequests(vertx, ordered, journaled, merger, intake, log, bodies, maxBody);
    Http2Requests byHttp2 = new Http2Requests(requests, access, counters, bodies, maxBody);
    watch.takeHttp2(byHttp2::take);
    return request -> handle(request, access, requests);
  }

  /** By the worker, which alone changes them; not before it has taken what came earlier. */
  private void expireLater(PlainSource expiring, WorkerExecutor ordered) {
    vertx.setTimer(
        EXPIRES_EVERY_MILLIS,
        id -> {
          if (worker == ordered) {
            ordered
                .executeBlocking(() -> expire(expiring), true)
                .onComplete(done -> expireLater(expiring, ordered));
          }
        });
  }

  private boolean expire(PlainSource expiring) {
    expiring.expire(clock.millis());
    return true;
  }

  @Override
  protected ListenException listenFailure(String host, int port, Throwable cause) {
    return ListenException.ofAddress(OtlpConfig.ADDRESS, host, port, cause);
  }

  private void handle(HttpServerRequest request, Access access, OtlpRequests requests) {
    OtlpHead head =
        OtlpHead.of(
            request.method().name(),
            String.valueOf(request.path()),
            request.getHeader(HttpHeaders.CONTENT_TYPE),
            request.getHeader(HttpHeaders.CONTENT_ENCODING),
            request.getHeader(HttpHeaders.AUTHORIZATION));
    OtlpAnswer refused = head.refusal(access);
    if (refused != null) {
      send(request, refused);
      return;
    }
    requests
        .take(RequestBody.of(request, maxBody, bodies), head.type(), head::unpacked)
        .onSuccess(answer -> send(request, answer));
  }

  private void send(HttpServerRequest request, OtlpAnswer answer) {
    counters.request(answer.result());
    counters.received(request.bytesRead());
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (!request.isEnded()) { // What still comes is no next request.
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    answer.headers().forEach(response::putHeader);
    response
        .setStatusCode(answer.status())
        .end(Buffer.buffer(answer.body()))
        .onFailure(gone -> LOG.log(Level.DEBUG, "event=otlp_sender_gone"));
  }

  /** Takes no more requests, and completes when those under way are merged, or after seconds. */
  public Future<?> finish() {
    Future<?> closed =
        server()
            .map(listening -> listening.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS))
            .orElseGet(Future::succeededFuture);
    return closed.eventually(this::idle);
  }

  private Future<?> idle() {
    WorkerExecutor ordered = worker;
    return ordered == null ? Future.succeededFuture() : ordered.executeBlocking(() -> true, true);
  }

  @Override
  public Future<?> stop() {
    return finish()
        .eventually(
            () -> {
              WorkerExecutor ordered = worker;
              worker = null;
              streamClaim.close();
              plainClaim.close();
              return ordered == null ? Future.succeededFuture() : ordered.close();
            });
  }

  /** What came, and what became of it. Any thread. */
  public List<Metric> metrics() {
    return counters.metrics(streams::size, () -> plain == null ? 0 : plain.size());
  }
}
