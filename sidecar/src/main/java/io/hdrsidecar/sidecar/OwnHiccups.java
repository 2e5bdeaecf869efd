package io.hdrsidecar.sidecar;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.sidecar.hiccup.HiccupControl;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs the {@link HiccupControl} on the merge context, once a second, if it is switched on. */
final class OwnHiccups implements AutoCloseable {
  private static final long INTERVAL_MILLIS = 1000;

  private final @Nullable Duration resolution;
  private final Vertx vertx;
  private final Executor mergeContext;
  private final SeriesStore store;
  private long timer = -1;

  /** Merge context only. */
  private @Nullable HiccupControl control;

  OwnHiccups(@Nullable Duration resolution, Vertx vertx, Executor mergeContext, SeriesStore store) {
    this.resolution = resolution;
    this.vertx = vertx;
    this.mergeContext = mergeContext;
    this.store = store;
  }

  /** Starts, once the merge context is there. */
  void start() {
    Duration sleep = resolution;
    if (sleep != null) {
      HiccupConfig config = HiccupConfig.DEFAULT.withResolution(sleep);
      mergeContext.execute(() -> startMeter(config));
      timer = vertx.setPeriodic(INTERVAL_MILLIS, id -> mergeContext.execute(this::harvest));
    }
  }

  private void startMeter(HiccupConfig config) {
    try {
      control = new HiccupControl(store, config);
    } catch (RefusedException e) {
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
