package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.http.ApiException;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Serves {@code POST /-/reload}: reads the configuration again, all of it or nothing. */
final class ReloadRoute implements Handler<RoutingContext> {
  /** Reloads that may follow one another at once. */
  static final int AT_ONCE = 10;

  /** After which there is one more. */
  static final Duration INTERVAL = Duration.ofSeconds(6);

  private final Reload reload;
  private final WorkerExecutor workers;
  private final RateLimit rate = new RateLimit(AT_ONCE, INTERVAL, System::nanoTime);

  ReloadRoute(Reload reload, WorkerExecutor workers) {
    this.reload = reload;
    this.workers = workers;
  }

  @Override
  public void handle(RoutingContext context) {
    if (!reload.isEnabled()) {
      context.fail(
          new ApiException(403, "forbidden", "reloading is off; switch it on with reload: true"));
      return;
    }
    long waitNanos = rate.take();
    if (waitNanos > 0) {
      refuse(context, TimeUnit.NANOSECONDS.toSeconds(waitNanos) + 1);
      return;
    }
    workers
        .executeBlocking(reload::reload, false)
        .onSuccess(outcome -> answer(context, outcome))
        .onFailure(context::fail);
  }

  /** Each reload reads files and writes a line of the log. */
  private static void refuse(RoutingContext context, long seconds) {
    context.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    String rule = AT_ONCE + " reloads at once, and then one in " + INTERVAL.toSeconds() + " s";
    context.fail(new ApiException(429, "unavailable", "too many: " + rule + " are allowed"));
  }

  private static void answer(RoutingContext context, Reload.Outcome outcome) {
    if (outcome.problems().isEmpty()) {
      JsonObject data =
          new JsonObject()
              .put("changed", new JsonArray(outcome.changed()))
              .put("needsRestart", new JsonArray(outcome.needsRestart()));
      QueryRoutes.send(context, Envelope.success(data));
    } else {
      context.fail(
          new ApiException(
              400, "bad_data", "nothing was changed: " + String.join("; ", outcome.problems())));
    }
  }
}
