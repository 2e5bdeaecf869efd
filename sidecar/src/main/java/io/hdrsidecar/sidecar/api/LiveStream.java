package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.LiveSteps;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.ErrorEnvelope;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One answer to {@code GET /api/v1/live}: server-sent events, as long as somebody reads them. What
 * waits to be sent is bounded: while the write queue is full nothing is added, and the stream goes
 * on from where it was once there is room again. Event loop of the server only.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">the format</a>
 */
final class LiveStream implements AnswerMemory.Reader {
  /** Above this the write queue is full; a batch of steps may come on top. */
  static final int QUEUE_BYTES = 64 * 1024;

  private static final int AROUND_EVENT = 64;

  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final BooleanSupplier admitted;
  private final HeapShare share;
  private final LongSupplier nanoTime;
  private long nextMillis;
  private boolean knowsEdges;
  private long wroteNanos;
  private long readNanos;

  /**
   * A stream; its head is sent with the first events.
   *
   * @param admitted whether the asker may still be answered
   * @param nextMillis start of its first step
   * @param share of the heap for what waits to be sent
   */
  LiveStream(
      HttpServerRequest request,
      BooleanSupplier admitted,
      long nextMillis,
      HeapShare share,
      LongSupplier nanoTime) {
    this.request = request;
    this.response = request.response();
    this.share = share;
    this.admitted = admitted;
    this.nextMillis = nextMillis;
    this.nanoTime = nanoTime;
    this.wroteNanos = nanoTime.getAsLong();
    this.readNanos = wroteNanos;
    response.setWriteQueueMaxSize(QUEUE_BYTES);
    write("retry: 2000\n\n");
  }

  /** Start of the first step that it has not had. */
  long nextMillis() {
    return nextMillis;
  }

  /** Whether more may be sent. */
  boolean hasRoom() {
    return !response.writeQueueFull();
  }

  boolean isAdmitted() {
    return admitted.getAsBoolean();
  }

  /** How long the write queue has been full, as far as that was looked at; 0 while it is not. */
  long fullNanos() {
    long now = nanoTime.getAsLong();
    if (hasRoom()) {
      readNanos = now;
    }
    return now - readNanos;
  }

  /**
   * Sends the steps that begin with its next one.
   *
   * @return whether there was memory for them; if not, they are still to be sent
   */
  boolean send(LiveSteps.StepBatch batch) {
    long cost = cost(batch);
    if (!share.tryTakeUncounted(cost)) {
      return false;
    }
    StringBuilder events = new StringBuilder();
    String edges = batch.edges();
    if (!knowsEdges && edges != null) {
      knowsEdges = true;
      events.append("event: edges\ndata: ").append(edges).append("\n\n");
    }
    for (LiveSteps.LiveStep step : batch.steps()) {
      events.append("event: step\nid: ").append(step.startMillis());
      events.append("\ndata: ").append(step.json()).append("\n\n");
    }
    nextMillis = batch.untilMillis();
    if (events.length() > 0) {
      write(events.toString()).onComplete(sent -> share.release(cost));
    } else {
      share.release(cost);
    }
    return true;
  }

  /** As text, and as bytes that wait to be sent. */
  private static long cost(LiveSteps.StepBatch batch) {
    String edges = batch.edges();
    long chars = edges == null ? 0 : edges.length() + AROUND_EVENT;
    for (LiveSteps.LiveStep step : batch.steps()) {
      chars += step.json().length() + AROUND_EVENT;
    }
    return HeapShare.arrayCost(2 * chars);
  }

  /** Keeps proxies from taking a quiet stream for a dead one. */
  void keepAlive() {
    if (hasRoom() && nanoTime.getAsLong() - wroteNanos >= KEEP_ALIVE_NANOS) {
      write(": keep-alive\n\n");
    }
  }

  private Future<Void> write(String text) {
    wroteNanos = nanoTime.getAsLong();
    return response.write(text);
  }

  /** Ends it in order: there is no more to come. */
  Future<Void> end() {
    return response.end("event: end\ndata: {}\n\n");
  }

  @Override
  public long stillNanos() {
    return fullNanos();
  }

  /** The sender looks after that, with more patience. */
  @Override
  public boolean isTooSlow() {
    return false;
  }

  /** Ends it at once: nobody reads what is to be said. */
  @Override
  public void cut() {
    ConnectionWatch.closeNow(request.connection());
  }

  /** Ends it, saying why. */
  void fail(ApiException why) {
    response.end(
        "event: error\ndata: "
            + ErrorEnvelope.of(why.errorType(), why.message()).encode()
            + "\n\n");
  }
}
