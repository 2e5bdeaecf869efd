package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a connection is at, since when, and what it holds. Event loop of the server only. */
final class ConnectionProgress {
  static final long SLOW_HEADERS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What a connection is at. */
  enum RequestStage {
    FIRST_REQUEST,
    ANSWER,
    /** Has no end by itself; who sends it looks after it. */
    STREAM,
    NEXT_REQUEST
  }

  final HeapClaim claim;
  private final ReadTurns turns;
  final long ownBytes;
  RequestStage step = RequestStage.FIRST_REQUEST;
  long sinceNanos;
  boolean reservedScrape;
  @Nullable HttpServerRequest request;

  /** What the piece that came last may have been decoded to, beyond the request at hand. */
  long lastPieceBytes;

  /** What reads the connection, when that is no longer HTTP/1. */
  @Nullable Http2Connection http2;

  /** How many requests are being answered by HTTP/2. */
  int http2Requests;

  /**
   * Of a connection that was just made.
   *
   * @param ownBytes what it takes before it says something
   */
  ConnectionProgress(HeapClaim claim, long ownBytes, ReadTurns turns) {
    this.turns = turns;
    this.claim = claim;
    this.ownBytes = ownBytes;
  }

  void enter(RequestStage next, long nowNanos) {
    step = next;
    sinceNanos = nowNanos;
  }

  /** What one sent that has not had its turn may not be read, however late this thread is. */
  boolean isYoung(long nowNanos) {
    return step == RequestStage.FIRST_REQUEST
        && (!turns.areOver() || nowNanos - sinceNanos <= SLOW_HEADERS_NANOS);
  }

  /** How many requests are being answered. */
  int busy() {
    if (http2 != null) {
      return http2Requests;
    }
    return step == RequestStage.ANSWER || step == RequestStage.STREAM ? 1 : 0;
  }
}
