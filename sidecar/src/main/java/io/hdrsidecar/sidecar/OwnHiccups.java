package io.hdrsidecar.sidecar;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.sidecar.hiccup.HiccupControl;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs the {@link HiccupControl} on the merge context, if it is switched on. */
final class OwnHiccups implements AutoCloseable {
  private final @Nullable Duration resolution;
  private final Executor mergeContext;
  private final SeriesStore store;
  private boolean started;

  /** Merge context only. */
  private @Nullable HiccupControl control;

  OwnHiccups(@Nullable Duration resolution, Executor mergeContext, SeriesStore store) {
    this.resolution = resolution;
    this.mergeContext = mergeContext;
    this.store = store;
  }

  /** Starts, once the merge context is there. */
  void start() {
    Duration sleep = resolution;
    if (sleep != null) {
      HiccupConfig config = HiccupConfig.DEFAULT.withResolution(sleep);
      mergeContext.execute(() -> startMeter(config));
      started = true;
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

  /** Merges what was measured since the last call; to be called once a second. Merge context. */
  void harvest() {
    HiccupControl running = control;
    if (running != null) {
      running.harvest(System.currentTimeMillis());
    }
  }

  /** Stops; what was measured since the last second is dropped. */
  @Override
  public void close() {
    if (started) {
      started = false;
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
