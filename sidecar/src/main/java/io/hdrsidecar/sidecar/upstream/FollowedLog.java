package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.concurrent.Executor;

/** A log, and the sums that get what is appended to it. Merge context. */
final class FollowedLog implements IntervalLog {
  private final IntervalLog log;
  private final PendingSums sums;

  FollowedLog(IntervalLog log, PendingSums sums) {
    this.log = log;
    this.sums = sums;
  }

  @Override
  public boolean keepsRecords() {
    return log.keepsRecords();
  }

  @Override
  public void start(Executor mergeContext, Runnable onDurable) {
    log.start(mergeContext, onDurable);
  }

  @Override
  public long append(
      InstanceId sender,
      long sequence,
      Series series,
      DecodedHistogram histogram,
      IntervalCounts interval,
      long startMillis,
      long endMillis) {
    long record = log.append(sender, sequence, series, histogram, interval, startMillis, endMillis);
    sums.add(series, histogram.layout(), interval, startMillis, endMillis);
    return record;
  }

  @Override
  public void appendGoodbye(InstanceId sender) {
    log.appendGoodbye(sender);
  }

  @Override
  public long appendEnd(Series ended) {
    return log.appendEnd(ended);
  }

  @Override
  public long lastRecord() {
    return log.lastRecord();
  }

  @Override
  public long durableRecord() {
    return log.durableRecord();
  }

  @Override
  public void whenDurable(Runnable task) {
    log.whenDurable(task);
  }

  @Override
  public boolean isFull() {
    return log.isFull();
  }
}
