package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.config.OtlpConfig;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.http.LimitedServer;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.otlp.OtlpCounters.Result;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
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
  private static final String PATH = "/v1/metrics";
  private static final String RETRY_SECONDS = "1";
  private static final long SHUTDOWN_SECONDS = 3;
  private static final int EIGHTHS = 8;
  private static final int STREAM_EIGHTHS = 3;

  /** What a body takes at most: as it came, unpacked, and twice that as protobuf. */
  private static final int BODY_TIMES = 4;

  private final JournaledRequests journaled;
  private final HeapShare bodies;
  private final HeapClaim streamClaim;
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
   */
  public OtlpServer(
      OtlpConfig config,
      HttpLimits limits,
      SeriesStore store,
      Executor mergeContext,
      HeapShare share,
      MeterRegistry registry) {
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
    InstantSource clock = InstantSource.system();
    this.streams = new CumulativeStreams(streamClaim, clock.millis());
    this.merger = new PointMerger(store, mergeContext, this::later, config.finestScale());
    this.intake =
        new OtlpIntake(
            new OtlpNaming(config.resourceLabels()),
            streams,
            merger,
            counters,
            log,
            clock,
            config.tellsNotKept());
  }

  private void later(Runnable task) {
    vertx.setTimer(10, id -> task.run());
  }

  @Override
  protected Handler<HttpServerRequest> handler(Access access, ConnectionWatch watch) {
    worker = vertx.createSharedWorkerExecutor("otlp", 1);
    return request -> handle(request, access);
  }

  @Override
  protected ListenException listenFailure(String host, int port, Throwable cause) {
    return ListenException.ofAddress(OtlpConfig.ADDRESS, host, port, cause);
  }

  private void handle(HttpServerRequest request, Access access) {
    String type = mediaType(request.getHeader(HttpHeaders.CONTENT_TYPE));
    OtlpAnswer refused = refusal(request, access, type);
    if (refused != null) {
      send(request, refused);
      return;
    }
    RequestBody body = RequestBody.of(request, maxBody, bodies);
    boolean isGzip = encoding(request).equals("gzip");
    body.whole()
        .compose(whole -> journaled.beforeMerge(vertx).map(whole))
        .compose(whole -> work(whole, type, isGzip))
        .onComplete(done -> body.release())
        .compose(
            answer ->
                answer.status() == 200
                    ? journaled.afterMerge(vertx).map(answer)
                    : Future.succeededFuture(answer))
        .recover(failure -> answerTo(failure, type))
        .onSuccess(answer -> send(request, answer));
  }

  /** What is wrong with a request before its body is read; null for nothing. */
  private static @Nullable OtlpAnswer refusal(
      HttpServerRequest request, Access access, String type) {
    if (!PATH.equals(request.path())) {
      return OtlpAnswer.refused(
          type, Result.UNSUPPORTED, 404, "metrics are taken at " + PATH + " only");
    }
    if (!request.method().equals(HttpMethod.POST)) {
      request.response().putHeader(HttpHeaders.ALLOW, "POST");
      return OtlpAnswer.refused(type, Result.UNSUPPORTED, 405, "must be POST");
    }
    if (!access.admitsHeader(request.getHeader(HttpHeaders.AUTHORIZATION))) {
      request.response().putHeader("WWW-Authenticate", "Bearer realm=\"hdr-sidecar\"");
      return OtlpAnswer.refused(
          type, Result.UNAUTHORIZED, 401, "bearer token missing or wrong (otlp.token-file)");
    }
    if (!type.equals(OtlpAnswer.PROTOBUF) && !type.equals(OtlpAnswer.JSON)) {
      return OtlpAnswer.refused(
          type,
          Result.UNSUPPORTED,
          415,
          "Content-Type must be " + OtlpAnswer.PROTOBUF + " or " + OtlpAnswer.JSON);
    }
    return List.of("gzip", "identity").contains(encoding(request))
        ? null
        : OtlpAnswer.refused(
            type, Result.UNSUPPORTED, 415, "Content-Encoding must be gzip, or none");
  }

  private static String mediaType(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType;
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static String encoding(HttpServerRequest request) {
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    return encoding == null || encoding.isBlank()
        ? "identity"
        : encoding.strip().toLowerCase(Locale.ROOT);
  }

  private Future<OtlpAnswer> work(RequestBody body, String type, boolean isGzip) {
    WorkerExecutor ordered = worker;
    return ordered == null
        ? Future.failedFuture(new IllegalStateException("not started"))
        : ordered.executeBlocking(() -> take(body, type, isGzip), true);
  }

  /** On the worker. */
  private OtlpAnswer take(RequestBody body, String type, boolean isGzip)
      throws InterruptedException {
    HeapClaim claim = bodies.claim();
    try {
      OtlpBody whole = OtlpBody.read(body.stream(), isGzip, maxBody, claim);
      if (merger.isFull()) {
        return OtlpAnswer.refused(
            type, Result.FULL, 503, "the journal takes nothing at the moment");
      }
      WireReader request =
          type.equals(OtlpAnswer.JSON)
              ? JsonRequest.read(whole.bytes(), whole.length(), claim)
              : new WireReader(whole.bytes(), 0, whole.length());
      Outcome outcome = intake.take(request);
      return OtlpAnswer.taken(type, outcome.rejected(), outcome.problem());
    } catch (MalformedOtlpException e) {
      log.notKept("bad_request", e.problem(), 1);
      return OtlpAnswer.refused(type, Result.BAD, 400, e.problem());
    } catch (OtlpBody.TooLargeException e) {
      return OtlpAnswer.refused(type, Result.TOO_LARGE, 413, String.valueOf(e.getMessage()));
    } catch (HeapFullException e) {
      return OtlpAnswer.refused(type, Result.FULL, 503, "too many bytes are being taken at once");
    } finally {
      claim.close();
    }
  }

  /** Of what failed before the worker, or in it. */
  private static Future<OtlpAnswer> answerTo(Throwable failure, String type) {
    if (failure instanceof HttpClosedException) {
      return Future.failedFuture(failure); // Nobody is there to be told.
    }
    if (failure instanceof ApiException refused) {
      Result result =
          switch (refused.status()) {
            case 413 -> Result.TOO_LARGE;
            case 503 -> Result.FULL;
            default -> Result.BAD;
          };
      return Future.succeededFuture(
          OtlpAnswer.refused(type, result, refused.status(), refused.message()));
    }
    OutOfMemory.endIfIn(failure);
    LOG.log(Level.ERROR, "event=otlp_request_failed", failure);
    return Future.succeededFuture(
        OtlpAnswer.refused(type, Result.FAILED, 500, "internal error, see the sidecar's log"));
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
    if (answer.status() == 503) {
      response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    response
        .setStatusCode(answer.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, answer.type())
        .putHeader("X-Content-Type-Options", "nosniff")
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
              return ordered == null ? Future.succeededFuture() : ordered.close();
            });
  }

  /** What came, and what became of it. Any thread. */
  public List<Metric> metrics() {
    return counters.metrics(streams::size);
  }
}
