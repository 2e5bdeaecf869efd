package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.http.ConnectionProgress.RequestStage;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may stay connected, so that nobody keeps probes and Prometheus out. Event loop of the
 * server only.
 *
 * <p>What connections and the headers on them take is claimed from a share of the heap, which
 * limits their number, too. Above the limit a waiting one makes room for a new one: first one that
 * is slow to send its first headers, then the one idle for longest. One of the last second is not
 * counted yet, and leaves only where the share is used up: then of the address that has most of
 * them. What is being answered stays. So many places as the limit says are for any request; {@value
 * #RESERVED} more are for probes and for one scrape at a time, whatever fills the others.
 *
 * <p>Time is counted from one whole step to the next, not from the last byte: who sends a header
 * byte now and then gets no more time than one that sends none.
 */
public final class ConnectionWatch {
  /** Places beyond the limit, for probes and one scrape. */
  public static final int RESERVED = 8;

  /** A body must come at this rate on average, from {@link #RATE_AFTER_NANOS} on. */
  static final int LEAST_BODY_BYTES_A_SECOND = 1024;

  private static final long RATE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Set<String> PROBES = Set.of("/-/healthy", "/-/ready");
  private static final String SCRAPE = "/metrics";

  /** The reader of HTTP/1, as Vert.x calls it. */
  private static final String DECODER = "httpDecoder";

  /** A connection that has sent nothing: 8.4 kB measured, and 22 kB with TLS. */
  static final long PLAIN_BYTES = 12 << 10;

  private static final long TLS_BYTES = 32 << 10;

  /** Of headers: each byte twice, and for each line 100 bytes measured. */
  private static final long LINE_BYTES = 110;

  /** Headers of this cost may use what is kept for probes: they send no others. */
  private static final long PROBE_BYTES = 4 << 10;

  /** No connection may have more of the share for its headers than this part. */
  private static final int MOST_PART = 16;

  private final HttpLimits limits;
  private final HeapShare share;
  private final LongSupplier nanoTime;
  private final OpenConnections open;
  private final LongAdder tooSlow;
  private final List<Runnable> alsoSwept = new ArrayList<>();
  private @Nullable Handler<Http2Request> http2;

  /**
   * Watches no connection yet.
   *
   * @param share of the heap for connections and headers
   * @param halfForPeer whether one address may have only half of the requests being answered
   * @param registry gets a counter of what is ended
   * @param nanoTime a clock like System::nanoTime
   */
  public ConnectionWatch(
      HttpLimits limits,
      HeapShare share,
      boolean halfForPeer,
      MetricRegistry registry,
      LongSupplier nanoTime) {
    this.limits = limits;
    this.share = share;
    this.nanoTime = nanoTime;
    this.open = new OpenConnections(limits, share, halfForPeer, registry, nanoTime);
    this.tooSlow = counter(registry, "too_slow");
  }

  static LongAdder counter(MetricRegistry registry, String reason) {
    return registry.counter(
        "http.connections.closed",
        "HTTP connections that the sidecar has ended, by reason",
        "reason",
        reason);
  }

  /**
   * HTTP/2 is spoken at the same port from the next connection on.
   *
   * @param handler gets each request when its headers are read, and must read its body, or answer,
   *     before it returns
   */
  public void takeHttp2(Handler<Http2Request> handler) {
    http2 = handler;
  }

  boolean takesHttp2() {
    return http2 != null;
  }

  /** One that reads too slowly is ended by the code that sends to it. */
  public void countTooSlow() {
    tooSlow.increment();
  }

  /**
   * Closes a connection and drops what waits to be sent on it. What Vert.x offers waits until that
   * was sent, which is never where nobody reads.
   */
  public static void closeNow(HttpConnection connection) {
    ((ConnectionBase) connection).channel().close().addListener(closed -> {}); // none waits for it
  }

  /** A connection was made; with TLS, the handshake is done. */
  public void opened(HttpConnection connection) {
    long bytes = connection.isSsl() ? TLS_BYTES : PLAIN_BYTES;
    ReadTurns turns = new ReadTurns(((ConnectionBase) connection).channel().eventLoop());
    ConnectionProgress progress = new ConnectionProgress(share.claim(), bytes, turns);
    progress.enter(RequestStage.FIRST_REQUEST, nanoTime.getAsLong());
    open.put(connection, progress);
    connection.closeHandler(closed -> open.forget(connection));
    open.makeRoom();
    if (!open.roomFor(bytes, connection)) {
      open.end(connection);
      return;
    }
    progress.claim.grow(bytes);
    ChannelPipeline pipeline = ((ConnectionBase) connection).channel().pipeline();
    pipeline.addBefore(
        DECODER, "gate", new InboundGate(piece -> admits(connection, progress, piece)));
    Handler<Http2Request> handler = http2;
    if (handler != null) {
      pipeline.addBefore(
          DECODER,
          null,
          new Http1xOrH2CHandler() {
            @Override
            protected void configure(ChannelHandlerContext preface, boolean isHttp2) {
              if (isHttp2) {
                leaveHttp1(connection, progress, handler, preface);
              }
            }
          });
    }
  }

  /** One that has begun with HTTP/2. Without room it ends, and what came with it finds no place. */
  private void leaveHttp1(
      HttpConnection connection,
      ConnectionProgress progress,
      Handler<Http2Request> handler,
      ChannelHandlerContext preface) {
    long bytes = progress.ownBytes + Http2Connection.BYTES;
    if (open.has(connection) && open.roomFor(bytes - progress.claim.bytes(), connection)) {
      progress.claim.resize(progress.claim.bytes(), bytes);
    } else {
      open.end(connection);
    }
    Http2Connection reader =
        Http2Connection.create(
            limits.maxHeaderBytes(),
            ((ConnectionBase) connection).context(),
            handler,
            new Http2Watch(connection, progress));
    progress.http2 = reader;
    ChannelPipeline pipeline = preface.pipeline();
    pipeline.remove(DECODER);
    pipeline.remove("httpEncoder");
    pipeline.addAfter(preface.name(), null, reader);
  }

  /** Claims what headers take before they are read, and requests that come before answers. */
  private boolean admits(HttpConnection connection, ConnectionProgress progress, ByteBuf piece) {
    HttpServerRequest request = progress.request;
    if (!open.has(connection)) {
      return false;
    }
    if (progress.http2 != null || (request != null && !request.isEnded())) {
      return true; // Limited elsewhere, or a body, which has a share of its own.
    }
    long bytes = cost(piece);
    progress.lastPieceBytes = bytes;
    long headers = progress.claim.bytes() - progress.ownBytes + bytes;
    if (headers > Math.max(PROBE_BYTES, share.maxBytes() / MOST_PART)) {
      return false;
    }
    long kept = headers <= PROBE_BYTES ? 0 : RESERVED * (progress.ownBytes + PROBE_BYTES);
    if (!open.roomFor(bytes + kept, connection)) {
      return false;
    }
    progress.claim.grow(bytes);
    return true;
  }

  private static long cost(ByteBuf piece) {
    int lines = 0;
    int end = piece.writerIndex();
    for (int at = piece.indexOf(piece.readerIndex(), end, (byte) '\n');
        at >= 0;
        at = piece.indexOf(at + 1, end, (byte) '\n')) {
      lines++;
    }
    return 2L * piece.readableBytes() + LINE_BYTES * lines;
  }

  /**
   * A request was read up to the end of its headers.
   *
   * @return whether there is a place for it
   */
  public boolean began(HttpServerRequest request) {
    ConnectionProgress progress = open.get(request.connection());
    if (progress == null) {
      return true; // It is being closed already.
    }
    progress.reservedScrape = false;
    boolean admitted = hasPlace(request, progress);
    progress.enter(RequestStage.ANSWER, nanoTime.getAsLong());
    open.makeRoom();
    progress.request = request;
    request
        .response()
        .endHandler(
            end -> {
              progress.request = null;
              giveBackHeaders(progress);
              progress.enter(RequestStage.NEXT_REQUEST, nanoTime.getAsLong());
            });
    return admitted;
  }

  /** All but what may have been read behind the request that was answered. */
  private static void giveBackHeaders(ConnectionProgress progress) {
    if (progress.claim.bytes() > 0) {
      progress.claim.resize(progress.claim.bytes(), progress.ownBytes + progress.lastPieceBytes);
    }
  }

  private boolean hasPlace(HttpServerRequest request, ConnectionProgress progress) {
    String path = request.path();
    if ((path != null && PROBES.contains(path))
        || open.hasPlaceBeside(progress.busy(), request.connection())) {
      return true;
    }
    progress.reservedScrape = SCRAPE.equals(path) && !open.isScraped();
    return progress.reservedScrape;
  }

  /** The answer to a request goes on for as long as it is read. */
  public void streams(HttpServerRequest request) {
    ConnectionProgress progress = open.get(request.connection());
    if (progress != null) {
      progress.enter(RequestStage.STREAM, nanoTime.getAsLong());
    }
  }

  /** Is to be called with each sweep: ends those who read too slowly what it sends to them. */
  public void sweepAlso(Runnable sweep) {
    alsoSwept.add(sweep);
  }

  /**
   * Closes what has stood still for too long; to be called about once a second while there is a
   * connection.
   *
   * @return whether there is still one
   */
  boolean sweep() {
    long now = nanoTime.getAsLong();
    for (Map.Entry<HttpConnection, ConnectionProgress> entry : open.all()) {
      ConnectionProgress progress = entry.getValue();
      if (now - progress.sinceNanos > allowedNanos(progress.step) || isSlowToSend(progress, now)) {
        if (progress.step != RequestStage.NEXT_REQUEST) {
          tooSlow.increment();
        }
        open.end(entry.getKey());
      } else if (progress.http2 != null) {
        progress.http2.sweep(now);
      }
    }
    alsoSwept.forEach(Runnable::run);
    return open.any();
  }

  private static boolean isSlowToSend(ConnectionProgress progress, long nowNanos) {
    HttpServerRequest request = progress.request;
    return request != null
        && progress.step == RequestStage.ANSWER
        && !request.isEnded()
        && isSlow(nowNanos - progress.sinceNanos, request.bytesRead());
  }

  private static boolean isSlow(long nanos, long bodyBytes) {
    return nanos > RATE_AFTER_NANOS
        && bodyBytes < TimeUnit.NANOSECONDS.toSeconds(nanos) * LEAST_BODY_BYTES_A_SECOND;
  }

  private long allowedNanos(RequestStage step) {
    return switch (step) {
      case FIRST_REQUEST -> limits.headerTimeout().toNanos();
      case ANSWER -> limits.requestTimeout().toNanos();
      case STREAM -> Long.MAX_VALUE;
      case NEXT_REQUEST -> limits.idleTimeout().toNanos();
    };
  }

  /** What a connection of HTTP/2 asks and tells. */
  final class Http2Watch {
    /** What a request takes of the heap, without its body: 1.7 kB measured. */
    private static final long REQUEST_BYTES = 2 << 10;

    private final HttpConnection connection;
    private final ConnectionProgress progress;

    private Http2Watch(HttpConnection connection, ConnectionProgress progress) {
      this.connection = connection;
      this.progress = progress;
    }

    /**
     * A request has come, up to the end of its headers.
     *
     * @return whether there is a place for it; only then must {@link #ended} follow
     */
    boolean began() {
      if (!open.has(connection)) {
        return false;
      }
      progress.enter(RequestStage.STREAM, nanoTime()); // so that it does not leave itself
      open.tryRoomFor(REQUEST_BYTES);
      boolean admitted =
          open.hasPlaceBeside(0, connection) && progress.claim.tryGrow(REQUEST_BYTES);
      progress.http2Requests += admitted ? 1 : 0;
      open.makeRoom();
      waitIfDone();
      return admitted;
    }

    /** A request that had a place was answered, or has gone. */
    void ended() {
      if (open.has(connection)) {
        progress.http2Requests--;
        progress.claim.shrink(REQUEST_BYTES);
        waitIfDone();
      }
    }

    private void waitIfDone() {
      if (progress.http2Requests == 0) {
        progress.enter(RequestStage.NEXT_REQUEST, nanoTime());
      }
    }

    long nanoTime() {
      return nanoTime.getAsLong();
    }

    boolean isTooSlow(Http2Request request, long nowNanos) {
      long nanos = nowNanos - request.sinceNanos();
      return nanos > limits.requestTimeout().toNanos()
          || (!request.isWhole() && isSlow(nanos, request.receivedBytes()));
    }

    void countTooSlow() {
      ConnectionWatch.this.countTooSlow();
    }

    /** The connection is ended because it sends too many of something. */
    void countTooMany() {
      open.countTooMany();
    }
  }
}
