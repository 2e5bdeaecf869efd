package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.Accumulation;

/** What the sampler empties once an interval: the values of one series. */
public interface IntervalSource {
  /**
   * Moves what was recorded since the last harvest into the target. Sampler thread only.
   *
   * @param target of the layout of the series
   * @return number of values moved
   */
  long harvestInto(Accumulation target);

  /** Values below 0 so far, counted as 0. Any thread. */
  long clampedNegative();

  /** Values above the highest trackable one so far, counted as that one. Any thread. */
  long clampedTooLarge();

  /** Values so far for whose counters the heap had no room. Any thread. */
  long lostForMemory();
}
