package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.inject.Verdict.Result;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Answers reviews. One takes well under a millisecond, a pod of the greatest size some tens, so it
 * is done on the event loop.
 */
final class MutateRoute implements Handler<RoutingContext> {
  private static final Logger LOG = System.getLogger(MutateRoute.class.getName());
  private static final String JSON = "application/json";

  /** The result of what is no review. */
  private static final String MALFORMED = "malformed";

  private final Injector injector;
  private final boolean byDefault;
  private final int maxBodyBytes;
  private final HeapShare share;
  private final MetricRegistry registry;

  /**
   * A route.
   *
   * @param byDefault whether pods that do not say so get a sidecar
   */
  MutateRoute(
      Injector injector,
      boolean byDefault,
      int maxBodyBytes,
      HeapShare share,
      MetricRegistry registry) {
    this.injector = injector;
    this.byDefault = byDefault;
    this.maxBodyBytes = maxBodyBytes;
    this.share = share;
    this.registry = registry;
    for (Result result : Result.values()) {
      counter(registry, result.label());
    }
    counter(registry, MALFORMED);
  }

  private static LongAdder counter(MetricRegistry registry, String result) {
    return registry.counter(
        "inject", "Pods the webhook was asked about, by what came of it", "result", result);
  }

  @Override
  public void handle(RoutingContext context) {
    RequestBody body = RequestBody.of(context.request(), maxBodyBytes, share);
    String type = mediaType(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
    if (!type.equals(JSON)) {
      body.release();
      counter(registry, MALFORMED).increment();
      context.fail(
          new ApiException(415, "bad_data", "Content-Type: must be " + JSON + ": " + type));
      return;
    }
    body.whole()
        .map(RequestBody::joined)
        .onComplete(done -> body.release())
        .compose(this::answer) // what it throws becomes an answer, too
        .onSuccess(answer -> send(context, answer))
        .onFailure(context::fail);
  }

  private static void send(RoutingContext context, JsonObject answer) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(answer.toBuffer());
  }

  private static String mediaType(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType;
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private Future<JsonObject> answer(Buffer body) {
    try {
      AdmissionReview review = AdmissionReview.parse(body);
      Verdict verdict =
          review.isPodCreation()
              ? injector.decide(review.pod(), byDefault)
              : Verdict.of(Result.NOT_WANTED);
      tell(review, verdict);
      return Future.succeededFuture(review.answer(verdict));
    } catch (MalformedDocumentException e) {
      counter(registry, MALFORMED).increment();
      LOG.log(Level.WARNING, "event=malformed_review problem=\"{0}\"", e.message());
      return Future.failedFuture(new ApiException(400, "bad_data", e.message()));
    }
  }

  private void tell(AdmissionReview review, Verdict verdict) throws MalformedDocumentException {
    counter(registry, verdict.result().label()).increment();
    if (verdict.result() == Result.INJECTED) {
      LOG.log(Level.INFO, "event=injected pod={0}", review.pod().name());
    }
    for (String warning : verdict.warnings()) {
      LOG.log(Level.WARNING, "event=not_injected problem=\"{0}\"", warning.replace('"', '\''));
    }
  }
}
