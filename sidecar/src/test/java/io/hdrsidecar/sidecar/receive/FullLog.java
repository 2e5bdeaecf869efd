package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.Series;
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

  @Override
  public long append(
      InstanceId sender,
      long sequence,
      Series series,
      DecodedHistogram histogram,
      IntervalCounts figures,
      long startMillis,
      long endMillis) {
    return 0;
  }

  @Override
  public void appendGoodbye(InstanceId sender) {}

  @Override
  public long appendEnd(Series ended) {
    return 0;
  }

  @Override
  public long lastRecord() {
    return 0;
  }

  @Override
  public long durableRecord() {
    return 0;
  }

  @Override
  public void whenDurable(Runnable task) {
    task.run();
  }
}
