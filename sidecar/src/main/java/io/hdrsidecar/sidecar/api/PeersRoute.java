package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves {@code POST /-/peers}: what a process of the same fleet asks for a query of its own.
 * Answered on workers of their own, which wait for nobody else: so two that ask each other at the
 * same time both get an answer. Event loop of the server only.
 */
final class PeersRoute implements Handler<RoutingContext> {
  /** A query may be nearly as long, and names its labels once more. */
  private static final int MAX_BODY_BYTES = 256 << 10;

  private final SharedSeries shared;
  private final Queries queries;
  private final HeapShare bodies;

  /**
   * A route.
   *
   * @param queries asks, of the store at hand
   * @param bodies for what is asked
   */
  PeersRoute(SharedSeries shared, Queries queries, HeapShare bodies) {
    this.shared = shared;
    this.queries = queries;
    this.bodies = bodies;
  }

  @Override
  public void handle(RoutingContext context) {
    AnswerTime time = queries.timeFromNow();
    RequestBody body = RequestBody.of(context.request(), MAX_BODY_BYTES, bodies);
    body.whole()
        .onSuccess(
            whole ->
                queries.ask(
                    context,
                    time,
                    body::release,
                    scope -> NeededSeries.NOTHING,
                    scope -> shared.tell(whole.stream(), scope)))
        .onFailure(
            failure -> {
              body.release();
              context.fail(failure);
            });
  }
}
