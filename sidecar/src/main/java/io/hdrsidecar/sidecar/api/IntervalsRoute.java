package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.ErrorEnvelope;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code POST /api/v1/intervals}: the body is an HdrHistogram interval log, whose intervals
 * are merged into the series that the parameters name. Good lines of a bad log are kept.
 */
final class IntervalsRoute implements Handler<RoutingContext> {
  /** Types that logs are sent as; the last is what curl calls any posted data. */
  private static final Set<String> TYPES =
      Set.of("text/plain", "application/octet-stream", "application/x-www-form-urlencoded");

  private static final long DURABLE_SECONDS = 10;

  /** Bodies of the greatest length that may be held at a time, if the heap is large enough. */
  static final int LONGEST_BODIES = 4;

  private final SeriesStore store;
  private final Executor mergeContext;
  private final WorkerExecutor workers;
  private final int maxBodyBytes;
  private final HeapShare share;
  private final long decodedBytes;
  private final MetricRegistry registry;
  private final StatusSource status;
  private final OperationRules rules;
  private final LongAdder mergedLines;

  /** Completes when the log before the next one has been merged. Event loop of the server. */
  private Future<?> before = Future.succeededFuture();

  IntervalsRoute(
      HttpContext shared, WorkerExecutor workers, int maxBodyBytes, OperationRules rules) {
    this.rules = rules;
    this.status = shared.status();
    this.store = shared.store();
    this.mergeContext = shared.mergeContext();
    this.workers = workers;
    this.registry = shared.registry();
    this.maxBodyBytes = maxBodyBytes;
    HeapShare uploads = shared.heap().share(Use.UPLOADS);
    this.decodedBytes = uploads.maxBytes() / 3;
    uploads.tryTake(decodedBytes); // One log at a time is decoded, always in the same memory.
    this.share = uploads.atMost(LONGEST_BODIES * RequestBody.costOf(maxBodyBytes));
    this.mergedLines =
        registry.counter("log.lines.merged", "Lines of uploaded interval logs that were merged");
  }

  @Override
  public void handle(RoutingContext context) {
    RequestBody body = RequestBody.of(context.request(), maxBodyBytes, share);
    Context requestContext = context.vertx().getOrCreateContext();
    allowed(context)
        .compose(target -> merge(target, body, requestContext))
        .onComplete(done -> requestContext.runOnContext(back -> body.release()))
        .onSuccess(done -> answer(context, done))
        .onFailure(context::fail);
  }

  /** Where a request wants its log, if it may. */
  private Future<ImportTarget> allowed(RoutingContext context) {
    try {
      requireReady();
      requireLog(context);
    } catch (ApiException e) {
      return Future.failedFuture(e);
    }
    return rules.check(context).compose(checked -> target(context));
  }

  private static Future<ImportTarget> target(RoutingContext context) {
    try {
      Parameters given = new Parameters(context.queryParams().entries());
      return Future.succeededFuture(ImportTarget.of(given));
    } catch (QueryException e) {
      return Future.failedFuture(QueryErrors.asApiException(e));
    }
  }

  private Future<IntervalLogImport> merge(
      ImportTarget target, RequestBody body, Context requestContext) {
    return body.whole()
        .compose(log -> oneAtATime(() -> merge(target, log.stream(), requestContext)));
  }

  private void requireReady() throws ApiException {
    if (!status.isReady()) {
      throw new ApiException(503, "unavailable", "nothing can be taken now: " + status.trouble());
    }
  }

  private static void requireLog(RoutingContext context) throws ApiException {
    String type = mediaType(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
    if (!TYPES.contains(type)) {
      throw new ApiException(
          415, "bad_data", "Content-Type: must be text/plain for an interval log: " + type);
    }
    String encoding = context.request().getHeader(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new ApiException(
          415, "bad_data", "Content-Encoding: compressed bodies are not read: " + encoding);
    }
  }

  private static String mediaType(@Nullable String contentType) {
    String type = contentType == null ? "text/plain" : contentType;
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** The decoded contents of a log may be many times its size, so there is one at a time. */
  private Future<IntervalLogImport> oneAtATime(Supplier<Future<IntervalLogImport>> merging) {
    Future<IntervalLogImport> next = before.transform(done -> merging.get());
    before = next;
    return next;
  }

  private Future<IntervalLogImport> merge(
      ImportTarget target, InputStream log, Context requestContext) {
    IntervalLogImport running = new IntervalLogImport(store, target, log, decodedBytes);
    return nextSlice(running, requestContext)
        .compose(merged -> durable(requestContext))
        .eventually(() -> workers.executeBlocking(() -> closed(running), false))
        .map(running);
  }

  private static Boolean closed(IntervalLogImport finished) throws IOException {
    finished.close();
    return true;
  }

  private Future<Boolean> nextSlice(IntervalLogImport running, Context requestContext) {
    return workers
        .executeBlocking(running::readSlice, false)
        .compose(
            more ->
                more
                    ? onMergeContext(running::mergeSlice, requestContext)
                        .compose(merged -> nextSlice(running, requestContext))
                    : Future.succeededFuture(false));
  }

  /** A sender may delete the log when it gets the answer, so that waits for the journal. */
  private Future<Void> durable(Context requestContext) {
    Promise<Void> written = Promise.promise();
    mergeContext.execute(
        () ->
            store
                .log()
                .whenDurable(() -> requestContext.runOnContext(back -> written.tryComplete())));
    return written
        .future()
        .timeout(DURABLE_SECONDS, TimeUnit.SECONDS)
        .recover(
            late ->
                Future.failedFuture(
                    new ApiException(
                        503,
                        "unavailable",
                        "merged, but the journal could not be written in time: a restart of the"
                            + " sidecar may lose it")));
  }

  /** There and back again: what follows must not run on the merge context. */
  private Future<Void> onMergeContext(Runnable work, Context requestContext) {
    Promise<Void> done = Promise.promise();
    mergeContext.execute(
        () -> {
          try {
            work.run();
            requestContext.runOnContext(back -> done.complete());
          } catch (RuntimeException e) {
            requestContext.runOnContext(back -> done.fail(e));
          }
        });
    return done.future();
  }

  private void answer(RoutingContext context, IntervalLogImport done) {
    count(done);
    JsonObject data = json(done);
    if (done.mergedLines() == 0) {
      context.response().setStatusCode(400);
      String message =
          done.refused().isEmpty()
              ? "no interval line in it; expected an HdrHistogram interval log"
              : "no line could be merged";
      JsonObject error = ErrorEnvelope.of("bad_data", "body: " + message);
      QueryRoutes.send(
          context, new Answer(Envelope.CONTENT_TYPE, error.put("data", data).toBuffer()));
    } else {
      QueryRoutes.send(context, Envelope.success(data));
    }
  }

  private static JsonObject json(IntervalLogImport done) {
    JsonArray refused = new JsonArray();
    done.refused()
        .forEach(
            line ->
                refused.add(
                    new JsonObject()
                        .put("line", line.line())
                        .put("reason", line.reason())
                        .put("message", line.message())));
    JsonArray series = new JsonArray();
    done.series().forEach(series::add);
    return new JsonObject()
        .put("merged", done.mergedLines())
        .put("refused", done.refusedByReason().values().stream().mapToLong(n -> n).sum())
        .put("refusedLines", refused)
        .put("series", series);
  }

  private void count(IntervalLogImport done) {
    mergedLines.add(done.mergedLines());
    done.refusedByReason()
        .forEach(
            (reason, lines) ->
                registry
                    .counter(
                        "log.lines.refused",
                        "Lines of uploaded interval logs that were refused, by reason",
                        "reason",
                        reason)
                    .add(lines));
  }
}
