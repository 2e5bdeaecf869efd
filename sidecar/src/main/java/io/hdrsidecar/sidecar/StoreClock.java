package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;

/** Lets time pass for a store: once a second, idle series end and windows lose what is too old. */
public final class StoreClock {
  private static final long PERIOD_MILLIS = 1000;

  private final Vertx vertx;
  private final Executor mergeContext;
  private final SeriesStore store;
  private final Runnable after;

  /**
   * A clock that stands still.
   *
   * @param mergeContext a context of this Vert.x, with which the clock ends
   * @param after runs in each second when time has passed: one timer wakes the thread once for both
   */
  public StoreClock(Vertx vertx, Executor mergeContext, SeriesStore store, Runnable after) {
    this.vertx = vertx;
    this.mergeContext = mergeContext;
    this.store = store;
    this.after = after;
  }

  /** Starts, once the merge context is there. */
  public void start() {
    mergeContext.execute(
        () -> vertx.setPeriodic(store.millisToWindowSweep(), PERIOD_MILLIS, timer -> passSecond()));
  }

  private void passSecond() {
    store.expireIdle();
    store.advanceWindows();
    after.run();
  }
}
