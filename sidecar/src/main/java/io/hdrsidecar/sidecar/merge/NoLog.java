package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.util.concurrent.Executor;

/** Counts live as long as the process. */
final class NoLog implements IntervalLog {
  @Override
  public void start(Executor mergeContext, Runnable onDurable) {}

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

  @Override
  public boolean isFull() {
    return false;
  }
}
