package io.hdrsidecar.sidecar.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Ends connections that take too long or are too many. Time is counted from one whole step to the
 * next, not from the last byte: who sends a header byte now and then gets no more time than who
 * sends none. Event loop of the server only.
 */
public final class ConnectionWatch {
  /** What a connection is at. */
  private enum Step {
    FIRST_REQUEST,
    ANSWER,
    /** Has no end by itself; who sends it looks after it. */
    STREAM,
    NEXT_REQUEST
  }

  private static final class Progress {
    private Step step = Step.FIRST_REQUEST;
    private long sinceNanos;

    private void enter(Step next, long nowNanos) {
      step = next;
      sinceNanos = nowNanos;
    }
  }

  private final HttpLimits limits;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, Progress> open = new HashMap<>();
  private final Counter tooMany;
  private final Counter tooSlow;

  /**
   * Watches no connection yet.
   *
   * @param registry gets a counter of what is ended
   * @param nanoTime a clock like System::nanoTime
   */
  public ConnectionWatch(HttpLimits limits, MeterRegistry registry, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.tooMany = counter(registry, "too_many");
    this.tooSlow = counter(registry, "too_slow");
  }

  private static Counter counter(MeterRegistry registry, String reason) {
    return Counter.builder("hdr_sidecar.http.connections.closed")
        .description("HTTP connections that the sidecar has ended, by reason")
        .tag("reason", reason)
        .register(registry);
  }

  /** A connection was made; with TLS, the handshake is done. */
  public void opened(HttpConnection connection) {
    if (open.size() >= limits.maxConnections()) {
      tooMany.increment();
      connection.close();
      return;
    }
    Progress progress = new Progress();
    progress.enter(Step.FIRST_REQUEST, nanoTime.getAsLong());
    open.put(connection, progress);
    connection.closeHandler(closed -> open.remove(connection));
  }

  /** A request was read up to the end of its headers. */
  public void began(HttpServerRequest request) {
    Progress progress = open.get(request.connection());
    if (progress != null) {
      progress.enter(Step.ANSWER, nanoTime.getAsLong());
      request.response().endHandler(end -> progress.enter(Step.NEXT_REQUEST, nanoTime.getAsLong()));
    }
  }

  /** The answer to a request goes on for as long as it is read. */
  void streams(HttpServerRequest request) {
    Progress progress = open.get(request.connection());
    if (progress != null) {
      progress.enter(Step.STREAM, nanoTime.getAsLong());
    }
  }

  /** Closes what has stood still for too long; to be called about once a second. */
  public void sweep() {
    long now = nanoTime.getAsLong();
    for (Iterator<Map.Entry<HttpConnection, Progress>> all = open.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<HttpConnection, Progress> entry = all.next();
      if (now - entry.getValue().sinceNanos > allowedNanos(entry.getValue().step)) {
        all.remove();
        if (entry.getValue().step != Step.NEXT_REQUEST) {
          tooSlow.increment();
        }
        entry.getKey().close();
      }
    }
  }

  private long allowedNanos(Step step) {
    return switch (step) {
      case FIRST_REQUEST -> limits.headerTimeout().toNanos();
      case ANSWER -> limits.requestTimeout().toNanos();
      case STREAM -> Long.MAX_VALUE;
      case NEXT_REQUEST -> limits.idleTimeout().toNanos();
    };
  }
}
