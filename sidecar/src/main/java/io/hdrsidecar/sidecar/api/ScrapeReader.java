package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One who is being sent a page, as fast as it reads. Event loop of the server only. */
final class ScrapeReader {
  /** The bytes that wait to be sent before the next piece is wanted. */
  private static final int QUEUE_BYTES = 64 * 1024;

  /** In this time half of the queue must be read: 32 KiB. */
  static final long LONGEST_STILL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Promise<Void> done = Promise.promise();
  private ScrapePage page;
  private ScrapePage.@Nullable LinkedChunk at;
  private boolean full;
  private long fullNanos;

  ScrapeReader(HttpServerRequest request, ScrapePage page) {
    this.request = request;
    this.response = request.response();
    this.page = page;
    response.setWriteQueueMaxSize(QUEUE_BYTES);
    response.closeHandler(gone -> end(new HttpClosedException("scraper has gone")));
    response.exceptionHandler(this::end);
    response.drainHandler(
        room -> {
          full = false;
          sendOn();
        });
  }

  /** Completes when all was sent, or will not be. */
  Future<Void> done() {
    return done.future();
  }

  /** The piece it was sent last; null before the first. */
  ScrapePage.@Nullable LinkedChunk at() {
    return at;
  }

  /** Goes on with another page, of which it has had all so far. */
  void moveTo(ScrapePage other, ScrapePage.LinkedChunk last) {
    page = other;
    at = last;
    other.add(this);
    sendOn();
  }

  /** How long it has read next to nothing; 0 while it waits for us. */
  long stillNanos() {
    return full && (response.ended() || response.writeQueueFull())
        ? System.nanoTime() - fullNanos
        : 0;
  }

  boolean isTooSlow() {
    return stillNanos() > LONGEST_STILL_NANOS;
  }

  /** A piece was written; its own turn comes when it has those before. */
  void offer(ScrapePage.LinkedChunk newest) {
    if (at == null) {
      response.setChunked(true);
      response
          .putHeader(HttpHeaders.CONTENT_TYPE, page.format().contentType())
          .putHeader(HttpHeaders.VARY, MetricsRoute.VARY);
      if (page.format().gzip()) {
        response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
      }
      send(newest);
    }
    sendOn();
  }

  private void sendOn() {
    boolean sentAny = false;
    while (!full && at != null && !at.chunk().last() && !done.future().isComplete()) {
      ScrapePage.LinkedChunk next = at.next();
      if (next == null) {
        page.want();
        return;
      }
      send(next);
      sentAny = true;
    }
    if (sentAny) {
      page.caughtUp();
    }
  }

  private void send(ScrapePage.LinkedChunk piece) {
    at = piece;
    piece.chunk().buffers().forEach(response::write);
    if (piece.chunk().last()) {
      full = true;
      fullNanos = System.nanoTime();
      response.end().onSuccess(sent -> end(null)).onFailure(this::end);
    } else if (response.writeQueueFull()) {
      full = true;
      fullNanos = System.nanoTime();
    }
  }

  /** Ends it at once: it reads too slowly. */
  void cut() {
    end(new HttpClosedException("scraper reads too slowly"));
    ConnectionWatch.closeNow(request.connection());
  }

  /** The page cannot be written. */
  void fail(Throwable cause) {
    boolean begun = response.headWritten();
    end(cause);
    if (begun) {
      response.reset(); // so that nobody takes what was sent for all
    }
  }

  private void end(@Nullable Throwable cause) {
    if (cause == null ? done.tryComplete() : done.tryFail(cause)) {
      page.remove(this);
    }
  }
}
