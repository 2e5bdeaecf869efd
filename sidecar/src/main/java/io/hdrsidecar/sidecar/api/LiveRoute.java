package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.LiveQuery;
import io.hdrsidecar.sidecar.answer.LiveSteps;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.http.Failures;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.http.OnDemandTimer;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code GET /api/v1/live}, a stream of steps as they become complete. A worker of its own
 * reads them, so that streams wait for one another and neither for queries nor scrapes for them.
 * Event loop of the server only.
 */
final class LiveRoute implements Handler<RoutingContext> {
  /** How often streams are looked at. */
  static final long TICK_MILLIS = 250;

  private static final String LAST_EVENT_ID = "Last-Event-ID";

  /** A query that can be answered. */
  private record AnswerableQuery(LiveQuery query, LiveSteps steps) {}

  private final QueryScope scope;
  private final HttpLimits limits;
  private final AnswerMemory room;
  private final ConnectionWatch watch;
  private final TokenCheck tokens;
  private final WorkerExecutor worker;
  private final OnDemandTimer ticks;
  private final InstantSource clock = InstantSource.system();
  private final Map<LiveQuery, LiveFeed> feeds = new HashMap<>();
  private final AtomicInteger streams = new AtomicInteger();
  private final LongAdder tooSlow;
  private final LongAdder failed;
  private boolean ended;

  LiveRoute(
      Vertx vertx,
      QueryScope scope,
      HttpLimits limits,
      AnswerMemory room,
      ConnectionWatch watch,
      TokenCheck tokens,
      MetricRegistry registry) {
    this.scope = scope;
    this.limits = limits;
    this.room = room;
    this.watch = watch;
    this.tokens = tokens;
    this.ticks = new OnDemandTimer(vertx, TICK_MILLIS, this::tick);
    this.worker = vertx.createSharedWorkerExecutor("hdr-sidecar-live", 1);
    this.tooSlow = counter(registry, "too_slow");
    this.failed = counter(registry, "failed");
    registry.add(Metric.gauge("http.streams", "Live streams that are open", streams::get));
  }

  private static LongAdder counter(MetricRegistry registry, String reason) {
    return registry.counter(
        "http.streams.closed",
        "Live streams that the sidecar has ended before it ended itself, by reason",
        "reason",
        reason);
  }

  @Override
  public void handle(RoutingContext context) {
    int max = limits.maxStreams();
    if (ended || streams.get() >= max) {
      String full = "too many live streams at once: " + max + " are allowed (http.max-streams)";
      String why = ended ? "the sidecar is ending" : full;
      context.fail(new ApiException(503, "unavailable", why));
      return;
    }
    streams.incrementAndGet();
    worker
        .executeBlocking(() -> read(context), false)
        .onSuccess(asked -> open(context, asked))
        .onFailure(
            refused -> {
              streams.decrementAndGet();
              context.fail(QueryErrors.asApiException(refused));
            });
  }

  private AnswerableQuery read(RoutingContext context) throws ApiException, QueryException {
    LiveQuery query = LiveQuery.of(new Parameters(context.queryParams().entries()));
    try (HeapClaim claim = room.share().claim()) {
      return new AnswerableQuery(query, new LiveSteps(query, scope.with(claim)));
    } catch (HeapFullException e) {
      throw Queries.refused(e, room.share());
    }
  }

  private void open(RoutingContext context, AnswerableQuery asked) {
    HttpServerResponse response = context.response();
    LiveFeed feed = feeds.getOrDefault(asked.query(), new LiveFeed(asked.steps()));
    long next;
    try {
      next = firstStep(context.request().getHeader(LAST_EVENT_ID), asked.query(), feed.steps());
    } catch (ApiException e) {
      streams.decrementAndGet();
      context.fail(e);
      return;
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader("X-Accel-Buffering", "no");
    if (response.closed() || ended || context.request().method().equals(HttpMethod.HEAD)) {
      streams.decrementAndGet();
      if (!response.closed()) {
        response.end();
      }
      return;
    }
    response.setChunked(true);
    watch.streams(context.request());
    LiveStream stream =
        new LiveStream(
            context.request(),
            () -> tokens.admits(context.request()),
            next,
            room.share(),
            System::nanoTime);
    feed.add(stream);
    room.add(stream);
    feeds.put(asked.query(), feed);
    ticks.wake();
    response.closeHandler(gone -> forget(asked.query(), stream));
  }

  /**
   * The step after the last one that was received, as far back as one answer may go; without it,
   * the one that will be complete next.
   */
  private long firstStep(@Nullable String lastId, LiveQuery query, LiveSteps steps)
      throws ApiException {
    long now = clock.millis();
    long next = steps.completeAt(now);
    if (lastId == null || lastId.isEmpty()) {
      return next;
    }
    if (!lastId.matches("\\d{1,15}")) {
      throw ApiException.badParameter(
          LAST_EVENT_ID, "must be the id of a step, milliseconds since 1970: " + lastId);
    }
    long wanted = query.startOf(Long.parseLong(lastId)) + query.stepMillis();
    long oldest = next - scope.limits().maxSteps() * query.stepMillis();
    return wanted > now ? next : Math.max(wanted, oldest);
  }

  private void forget(LiveQuery query, LiveStream stream) {
    LiveFeed feed = feeds.get(query);
    room.remove(stream);
    if (feed != null && feed.remove(stream)) {
      streams.decrementAndGet();
      if (feed.isEmpty()) {
        feeds.remove(query);
      }
    }
  }

  /** Returns whether any stream is left. */
  private boolean tick() {
    List.copyOf(feeds.entrySet())
        .forEach(
            entry -> {
              LiveFeed feed = entry.getValue();
              feed.streams().forEach(stream -> look(entry.getKey(), stream));
              advance(entry.getKey(), feed);
            });
    return !feeds.isEmpty();
  }

  private void advance(LiveQuery query, LiveFeed feed) {
    feed.advance(clock.millis(), worker, scope, room.share())
        .onSuccess(
            more -> {
              if (more) {
                advance(query, feed);
              }
            })
        .onFailure(why -> fail(query, feed, why));
  }

  private void look(LiveQuery query, LiveStream stream) {
    if (stream.fullNanos() > limits.requestTimeout().toNanos()) {
      tooSlow.increment();
      forget(query, stream);
      stream.cut();
    } else if (!stream.isAdmitted()) {
      failed.increment();
      forget(query, stream);
      stream.fail(new ApiException(401, "unauthorized", "the bearer token is no longer valid"));
    } else {
      stream.keepAlive();
    }
  }

  private void fail(LiveQuery query, LiveFeed feed, Throwable why) {
    ApiException said = Failures.asApiException("/api/v1/live", QueryErrors.asApiException(why));
    for (LiveStream stream : feed.streams()) {
      failed.increment();
      forget(query, stream);
      stream.fail(said);
    }
  }

  /** Ends all streams in order, and lets no more begin. Completes when that is sent. */
  Future<?> end() {
    ended = true;
    List<Future<Void>> ends = new ArrayList<>();
    List.copyOf(feeds.entrySet())
        .forEach(
            entry ->
                entry
                    .getValue()
                    .streams()
                    .forEach(
                        stream -> {
                          forget(entry.getKey(), stream);
                          ends.add(stream.end());
                        }));
    return Future.join(ends);
  }
}
