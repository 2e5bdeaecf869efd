package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.query.ApiException;
import io.hdrsidecar.sidecar.query.Envelope;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** Serves {@code POST /-/reload}: reads the configuration again, all of it or nothing. */
final class ReloadRoute implements Handler<RoutingContext> {
  private final Reload reload;
  private final WorkerExecutor workers;

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
    workers
        .executeBlocking(reload::reload, false)
        .onSuccess(outcome -> answer(context, outcome))
        .onFailure(context::fail);
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
