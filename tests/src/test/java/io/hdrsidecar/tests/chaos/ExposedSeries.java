package io.hdrsidecar.tests.chaos;

import java.util.Map;

/**
 * One series as the sidecar shows it.
 *
 * @param buckets by the API: counts by the lowest value of their bucket
 * @param count {@code chaos_seconds_count} of {@code /metrics}
 * @param sum {@code chaos_seconds_sum} of {@code /metrics}, in nanoseconds
 */
record ExposedSeries(Map<Long, Long> buckets, long count, long sum) {
  /** A series of which the sidecar knows nothing. */
  static final ExposedSeries NONE = new ExposedSeries(Map.of(), 0, 0);
}
