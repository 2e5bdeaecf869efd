package io.hdrsidecar.fleet.demo;

import java.math.BigInteger;
import java.util.Map;
import java.util.TreeSet;

/**
 * What is known of one series, of the fleet or of raw values.
 *
 * @param percentiles values by percentile
 * @param buckets counts by the highest value of each bucket that is not empty
 */
record FleetStatistics(
    long count,
    BigInteger sum,
    long min,
    long max,
    Map<Double, Long> percentiles,
    Map<Long, Long> buckets) {

  /** Counts that the other one has and this one has not, bucket by bucket. */
  long missing(FleetStatistics other) {
    long missing = 0;
    for (long bucket : new TreeSet<>(other.buckets.keySet())) {
      missing +=
          Math.max(0, other.buckets.getOrDefault(bucket, 0L) - buckets.getOrDefault(bucket, 0L));
    }
    return missing;
  }

  /** Whether everything is the same but percentiles. */
  boolean countsAsMuchAs(FleetStatistics other) {
    return count == other.count
        && sum.equals(other.sum)
        && min == other.min
        && max == other.max
        && buckets.equals(other.buckets);
  }
}
