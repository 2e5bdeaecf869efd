package io.hdrsidecar.sidecar;

import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Parts that run on one Vert.x: begun one by one, stopped in reverse order. One thread at a time.
 */
public final class Stages {
  private final Vertx vertx;
  private final Deque<String> deployed = new ArrayDeque<>();
  private Future<?> stopped = Future.succeededFuture();

  /** Nothing runs yet. */
  public Stages(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Starts one, and waits for it. */
  public void start(Deployable stage, long seconds) throws ExecutionException, TimeoutException {
    deployed.push(Sidecar.await(vertx.deployVerticle(stage), seconds));
  }

  /** Stops all that run, and gives each so much time. Idempotent. */
  public void stop(Duration patience) {
    while (!deployed.isEmpty()) {
      Future<?> stopping = vertx.undeploy(deployed.pop());
      Future<?> before = stopped;
      stopped = before.eventually(() -> stopping);
      Sidecar.waitFor(stopping, patience);
    }
  }

  /**
   * Closes Vert.x when all have stopped, however late: it would undeploy those again that are
   * stopping still, and complain that they are undeployed. Idempotent.
   *
   * @param patience how long this waits for it
   */
  public void close(Duration patience) {
    Sidecar.waitFor(stopped.eventually(vertx::close), patience);
  }
}
