package io.hdrsidecar.client.record;

import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.interval.BucketLayout;
import java.util.concurrent.atomic.AtomicLong;

/** Records the values of one series under a lock. Any thread. */
public final class SeriesRecorder {
  private final long highestTrackableValue;
  private final Accumulation recorded;
  private final AtomicLong negative = new AtomicLong();
  private final AtomicLong tooLarge = new AtomicLong();

  /** Nothing recorded yet. */
  public SeriesRecorder(BucketLayout layout, long highestTrackableValue) {
    this.highestTrackableValue = highestTrackableValue;
    this.recorded = new Accumulation(layout);
  }

  /** Records one value; a negative one counts as 0, one too large as the highest. */
  public void record(long value) {
    long clamped = value;
    if (value < 0) {
      negative.incrementAndGet();
      clamped = 0;
    } else if (value > highestTrackableValue) {
      tooLarge.incrementAndGet();
      clamped = highestTrackableValue;
    }
    synchronized (recorded) {
      recorded.counts().add(recorded.counts().layout().indexOf(clamped), 1);
      recorded.sum().add(clamped);
      recorded.widen(clamped, clamped);
    }
  }

  /** Moves everything recorded since the last harvest into the target; returns the count moved. */
  public long harvestInto(Accumulation target) {
    synchronized (recorded) {
      long count = recorded.count();
      target.add(recorded);
      recorded.clear();
      return count;
    }
  }

  /** Values below 0 so far. */
  public long clampedNegative() {
    return negative.get();
  }

  /** Values above the highest trackable one so far. */
  public long clampedTooLarge() {
    return tooLarge.get();
  }

  /** Adds a copy of what is recorded and not yet harvested. */
  public void snapshotInto(Accumulation target) {
    synchronized (recorded) {
      target.add(recorded);
    }
  }

  /** Memory of the counters. */
  public long allocatedBytes() {
    synchronized (recorded) {
      return recorded.counts().allocatedBytes();
    }
  }
}
