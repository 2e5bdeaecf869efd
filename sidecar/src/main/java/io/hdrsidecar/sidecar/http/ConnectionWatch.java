package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.access.RemotePeers;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
 * byte now and then gets no more time than who sends none.
 */
public final class ConnectionWatch {
  /** Places beyond the limit, for probes and one scrape. */
  public static final int RESERVED = 8;

  /** A body must come at this rate on average, from {@link #RATE_AFTER_NANOS} on. */
  static final int LEAST_BODY_BYTES_A_SECOND = 1024;

  private static final long RATE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SLOW_HEADERS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Set<String> PROBES = Set.of("/-/healthy", "/-/ready");
  private static final String SCRAPE = "/metrics";

  /** A connection that has sent nothing: 8.4 kB measured, and 22 kB with TLS. */
  private static final long PLAIN_BYTES = 12 << 10;

  private static final long TLS_BYTES = 32 << 10;

  /** Of headers: each byte twice, and for each line 100 bytes measured. */
  private static final long LINE_BYTES = 110;

  /** Headers of this cost may use what is kept for probes: they send no others. */
  private static final long PROBE_BYTES = 4 << 10;

  /** No connection may have more of the share for its headers than this part. */
  private static final int MOST_PART = 16;

  /** What a connection is at. */
  private enum RequestStage {
    FIRST_REQUEST,
    ANSWER,
    /** Has no end by itself; who sends it looks after it. */
    STREAM,
    NEXT_REQUEST
  }

  private static final class Progress {
    private RequestStage step = RequestStage.FIRST_REQUEST;
    private long sinceNanos;
    private final HeapClaim claim;
    private final long ownBytes;
    private boolean reservedScrape;
    private final ReadTurns turns;
    private @Nullable HttpServerRequest request;

    /** What the piece that came last may have been decoded to, beyond the request at hand. */
    private long lastPieceBytes;

    Progress(HeapClaim claim, long ownBytes, ReadTurns turns) {
      this.turns = turns;
      this.claim = claim;
      this.ownBytes = ownBytes;
    }

    private void enter(RequestStage next, long nowNanos) {
      step = next;
      sinceNanos = nowNanos;
    }

    /** What one sent that has not had its turn may not be read, however late this thread is. */
    private boolean isYoung(long nowNanos) {
      return step == RequestStage.FIRST_REQUEST
          && (!turns.areOver() || nowNanos - sinceNanos <= SLOW_HEADERS_NANOS);
    }

    private boolean isBusy() {
      return step == RequestStage.ANSWER || step == RequestStage.STREAM;
    }
  }

  private final HttpLimits limits;
  private final HeapShare share;
  private final int places;
  private final int perPeer;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, Progress> open = new LinkedHashMap<>();
  private final Counter tooMany;
  private final Counter tooSlow;

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
      MeterRegistry registry,
      LongSupplier nanoTime) {
    this.limits = limits;
    this.share = share;
    this.places = places(limits, share);
    this.perPeer = halfForPeer ? Math.max(1, places / 2) : places;
    this.nanoTime = nanoTime;
    this.tooMany = counter(registry, "too_many");
    this.tooSlow = counter(registry, "too_slow");
  }

  /**
   * How many requests may be answered at a time: half of the share is for headers, and who waits.
   */
  static int places(HttpLimits limits, HeapShare share) {
    return (int) Math.max(1, Math.min(limits.maxConnections(), share.maxBytes() / 2 / PLAIN_BYTES));
  }

  private static Counter counter(MeterRegistry registry, String reason) {
    return Counter.builder("hdr_sidecar.http.connections.closed")
        .description("HTTP connections that the sidecar has ended, by reason")
        .tag("reason", reason)
        .register(registry);
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
    Progress progress = new Progress(share.claim(), bytes, turns);
    progress.enter(RequestStage.FIRST_REQUEST, nanoTime.getAsLong());
    open.put(connection, progress);
    connection.closeHandler(closed -> forget(connection));
    makeRoom();
    while (share.freeBytes() < bytes) {
      tooMany.increment();
      HttpConnection leaving = whoMakesRoom(connection);
      end(leaving);
      if (leaving.equals(connection)) {
        return;
      }
    }
    progress.claim.grow(bytes);
    ((ConnectionBase) connection)
        .channel()
        .pipeline()
        .addBefore(
            "httpDecoder", "gate", new InboundGate(piece -> admits(connection, progress, piece)));
  }

  /** One that waits leaves while there are too many; one that is new, or is answered, stays. */
  private void makeRoom() {
    while (settled() > limits.maxConnections() + RESERVED) {
      HttpConnection leaving = slowOrIdle(nanoTime.getAsLong());
      if (leaving == null) {
        return;
      }
      tooMany.increment();
      end(leaving);
    }
  }

  /**
   * All but those who came in this second: what they sent may not have been read yet, and may be a
   * probe.
   */
  private int settled() {
    long now = nanoTime.getAsLong();
    int settled = 0;
    for (Progress progress : open.values()) {
      settled += progress.isYoung(now) ? 0 : 1;
    }
    return settled;
  }

  private void end(HttpConnection connection) {
    forget(connection);
    closeNow(connection);
  }

  private void forget(HttpConnection connection) {
    Progress progress = open.remove(connection);
    if (progress != null) {
      progress.claim.close();
    }
  }

  /** Claims what headers take before they are read, and requests that come before answers. */
  private boolean admits(HttpConnection connection, Progress progress, ByteBuf piece) {
    HttpServerRequest request = progress.request;
    if (!open.containsKey(connection)) {
      return false;
    }
    if (request != null && !request.isEnded()) {
      return true; // A body, which has a share of its own.
    }
    long bytes = cost(piece);
    progress.lastPieceBytes = bytes;
    long headers = progress.claim.bytes() - progress.ownBytes + bytes;
    if (headers > Math.max(PROBE_BYTES, share.maxBytes() / MOST_PART)) {
      return false;
    }
    long kept = headers <= PROBE_BYTES ? 0 : RESERVED * (progress.ownBytes + PROBE_BYTES);
    while (share.freeBytes() < bytes + kept) {
      tooMany.increment();
      HttpConnection leaving = whoMakesRoom(connection);
      if (leaving.equals(connection)) {
        return false;
      }
      end(leaving);
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

  private HttpConnection whoMakesRoom(HttpConnection newcomer) {
    long now = nanoTime.getAsLong();
    HttpConnection waiting = slowOrIdle(now);
    return waiting == null ? youngOfTheMany(newcomer, now) : waiting;
  }

  /** Closing costs who is idle a new connection, and who is slow what it had sent. */
  private @Nullable HttpConnection slowOrIdle(long nowNanos) {
    HttpConnection idle = null;
    long idleNanos = -1;
    for (Map.Entry<HttpConnection, Progress> entry : open.entrySet()) { // in order of age
      Progress progress = entry.getValue();
      long waited = nowNanos - progress.sinceNanos;
      if (progress.step == RequestStage.NEXT_REQUEST && waited > idleNanos) {
        idle = entry.getKey();
        idleNanos = waited;
      } else if (progress.step == RequestStage.FIRST_REQUEST && !progress.isYoung(nowNanos)) {
        return entry.getKey();
      }
    }
    return idle;
  }

  private HttpConnection youngOfTheMany(HttpConnection newcomer, long nowNanos) {
    Map<HttpConnection, String> young = new LinkedHashMap<>();
    open.forEach(
        (connection, progress) -> {
          if (progress.isYoung(nowNanos)) {
            young.put(connection, peer(connection));
          }
        });
    return RemotePeers.oldestOfMost(young).orElse(newcomer);
  }

  /**
   * A request was read up to the end of its headers.
   *
   * @return whether there is a place for it
   */
  public boolean began(HttpServerRequest request) {
    Progress progress = open.get(request.connection());
    if (progress == null) {
      return true; // It is being closed already.
    }
    progress.reservedScrape = false;
    boolean admitted = hasPlace(request, progress);
    progress.enter(RequestStage.ANSWER, nanoTime.getAsLong());
    makeRoom();
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
  private static void giveBackHeaders(Progress progress) {
    if (progress.claim.bytes() > 0) {
      progress.claim.resize(progress.claim.bytes(), progress.ownBytes + progress.lastPieceBytes);
    }
  }

  private boolean hasPlace(HttpServerRequest request, Progress progress) {
    String path = request.path();
    if (path != null && PROBES.contains(path)) {
      return true;
    }
    String peer = peer(request.connection());
    int busy = 0;
    int ofPeer = 0;
    boolean isScraped = false;
    for (Map.Entry<HttpConnection, Progress> entry : open.entrySet()) {
      Progress other = entry.getValue();
      if (other.isBusy() && other != progress) {
        busy++;
        ofPeer += peer(entry.getKey()).equals(peer) ? 1 : 0;
        isScraped |= other.reservedScrape;
      }
    }
    if (busy < places && ofPeer < perPeer) {
      return true;
    }
    progress.reservedScrape = SCRAPE.equals(path) && !isScraped;
    return progress.reservedScrape;
  }

  private static String peer(HttpConnection connection) {
    return RemotePeers.nameOf(connection.remoteAddress().hostAddress());
  }

  /** The answer to a request goes on for as long as it is read. */
  public void streams(HttpServerRequest request) {
    Progress progress = open.get(request.connection());
    if (progress != null) {
      progress.enter(RequestStage.STREAM, nanoTime.getAsLong());
    }
  }

  /** Closes what has stood still for too long; to be called about once a second. */
  public void sweep() {
    long now = nanoTime.getAsLong();
    for (Map.Entry<HttpConnection, Progress> entry : new ArrayList<>(open.entrySet())) {
      Progress progress = entry.getValue();
      if (now - progress.sinceNanos > allowedNanos(progress.step) || isSlowToSend(progress, now)) {
        if (progress.step != RequestStage.NEXT_REQUEST) {
          tooSlow.increment();
        }
        end(entry.getKey());
      }
    }
  }

  private static boolean isSlowToSend(Progress progress, long nowNanos) {
    HttpServerRequest request = progress.request;
    long nanos = nowNanos - progress.sinceNanos;
    return request != null
        && progress.step == RequestStage.ANSWER
        && nanos > RATE_AFTER_NANOS
        && !request.isEnded()
        && request.bytesRead() < TimeUnit.NANOSECONDS.toSeconds(nanos) * LEAST_BODY_BYTES_A_SECOND;
  }

  private long allowedNanos(RequestStage step) {
    return switch (step) {
      case FIRST_REQUEST -> limits.headerTimeout().toNanos();
      case ANSWER -> limits.requestTimeout().toNanos();
      case STREAM -> Long.MAX_VALUE;
      case NEXT_REQUEST -> limits.idleTimeout().toNanos();
    };
  }
}
