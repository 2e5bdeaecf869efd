package io.hdrsidecar.sidecar;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.sidecar.hiccup.HiccupControl;
import io.hdrsidecar.sidecar.merge.SeriesRefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs the {@link HiccupControl} on the merge context, once a second, if it is switched on. */
final class OwnHiccups implements AutoCloseable {
  private static final long INTERVAL_MILLIS = 1000;

  private final boolean on;
  private final Vertx vertx;
  private final Executor mergeContext;
  private final SeriesStore store;
  private long timer = -1;

  /** Merge context only. */
  private @Nullable HiccupControl control;

  OwnHiccups(boolean on, Vertx vertx, Executor mergeContext, SeriesStore store) {
    this.on = on;
    this.vertx = vertx;
    this.mergeContext = mergeContext;
    this.store = store;
  }

  /** Starts, once the merge context is there. */
  void start() {
    if (on) {
      mergeContext.execute(this::startMeter);
      timer = vertx.setPeriodic(INTERVAL_MILLIS, id -> mergeContext.execute(this::harvest));
    }
  }

  private void startMeter() {
    try {
      control = new HiccupControl(store, HiccupConfig.DEFAULT);
    } catch (SeriesRefusedException e) {
      System.getLogger(OwnHiccups.class.getName())
          .log(Level.WARNING, "event=own_hiccups_off reason={0}", e.getMessage());
    }
  }

  private void harvest() {
    HiccupControl running = control;
    if (running != null) {
      running.harvest(System.currentTimeMillis());
    }
  }

  /** Stops; what was measured since the last second is dropped. */
  @Override
  public void close() {
    if (timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
      mergeContext.execute(this::stopMeter);
    }
  }

  private void stopMeter() {
    HiccupControl running = control;
    if (running != null) {
      running.close();
      control = null;
    }
  }
}
