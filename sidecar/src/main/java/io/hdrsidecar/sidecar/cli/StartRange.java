package io.hdrsidecar.sidecar.cli;

import org.jspecify.annotations.Nullable;

/**
 * Which intervals are meant by their start; both ends belong to the range.
 *
 * @param start null for none
 * @param end null for none
 */
record StartRange(@Nullable TimeBound start, @Nullable TimeBound end) {
  static final StartRange ALL = new StartRange(null, null);

  /**
   * Whether an interval starts in the range.
   *
   * @param intervalStart seconds since the epoch
   * @param logStart what relative bounds count from, seconds since the epoch
   */
  boolean contains(double intervalStart, double logStart) {
    return (start == null || start.compare(intervalStart, logStart) >= 0)
        && (end == null || end.compare(intervalStart, logStart) <= 0);
  }
}
