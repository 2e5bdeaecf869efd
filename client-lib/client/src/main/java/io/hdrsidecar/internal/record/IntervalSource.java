package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.Accumulation;
import org.jspecify.annotations.Nullable;

/** What the sampler empties once an interval: the values of one series. */
public interface IntervalSource {
  /**
   * Moves what was recorded since the last harvest into the target. Sampler thread only.
   *
   * @param target of the layout of the series
   * @return number of values moved
   */
  long harvestInto(Accumulation target);

  /** Where the same counts are for the reader after a crash; null for nowhere. */
  default @Nullable CrashSeries crashSeries() {
    return null;
  }

  /** Values below 0 so far, counted as 0, unless another source counts them. Any thread. */
  default long clampedNegative() {
    return 0;
  }

  /** The same above the highest trackable value, counted as that one. */
  default long clampedTooLarge() {
    return 0;
  }

  /** Values so far for whose counters the heap had no room. Any thread. */
  default long lostForMemory() {
    return 0;
  }
}
