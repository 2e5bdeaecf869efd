package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.IntervalLog;
import java.util.concurrent.Executor;

/** Has no room from the start until told otherwise, as a journal on a full disk. */
final class FullLog implements IntervalLog {
  private Executor mergeContext = Runnable::run;
  private Runnable onDurable = () -> {};
  private volatile boolean full = true;

  /** The disk has room again. */
  void makeRoom() {
    mergeContext.execute(
        () -> {
          full = false;
          onDurable.run();
        });
  }

  @Override
  public void start(Executor context, Runnable whenDurable) {
    mergeContext = context;
    onDurable = whenDurable;
  }

  @Override
  public boolean isFull() {
    return full;
  }
}
