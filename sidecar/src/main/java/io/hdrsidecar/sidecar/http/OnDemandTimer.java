package io.hdrsidecar.sidecar.http;

import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;

/**
 * A periodic look that goes on only while there is something to look at: what most of an idle
 * process costs is to wake up. One event loop.
 */
public final class OnDemandTimer {
  private final Vertx vertx;
  private final long millis;
  private final BooleanSupplier look;
  private boolean running;

  /**
   * A timer that sleeps.
   *
   * @param look says whether there is still something to look at; otherwise it was the last look
   */
  public OnDemandTimer(Vertx vertx, long millis, BooleanSupplier look) {
    this.vertx = vertx;
    this.millis = millis;
    this.look = look;
  }

  /** There is something to look at. Idempotent. */
  public void wake() {
    if (!running) {
      running = true;
      vertx.setPeriodic(millis, this::look);
    }
  }

  private void look(long timer) {
    if (!look.getAsBoolean()) {
      running = false;
      vertx.cancelTimer(timer);
    }
  }
}
