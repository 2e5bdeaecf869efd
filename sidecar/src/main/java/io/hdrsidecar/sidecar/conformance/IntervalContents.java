package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.IntervalFrame;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an interval says, whatever the id of its series on the connection and the form of its
 * payload.
 *
 * @param buckets counts by the lowest value of their bucket
 */
record IntervalContents(
    SeriesKey series,
    long startMillis,
    long endMillis,
    long count,
    BigInteger sum,
    long min,
    long max,
    Map<Long, Long> buckets) {
  static IntervalContents of(SeriesKey series, IntervalFrame frame, Map<Long, Long> buckets) {
    return new IntervalContents(
        series,
        frame.startMillis(),
        frame.endMillis(),
        frame.count(),
        frame.sumMinMax().sum().toBigInteger(),
        frame.sumMinMax().min(),
        frame.sumMinMax().max(),
        buckets);
  }

  static Map<Long, Long> bucketsOf(BucketLayout layout, SparseCounts counts) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (int i = 0; i < counts.size(); i++) {
      buckets.merge(layout.lowestValueAt(counts.indexAt(i)), counts.countAt(i), Long::sum);
    }
    return buckets;
  }

  @Override
  public String toString() {
    return count + " values of " + series + ", sum " + sum + ", " + min + " to " + max;
  }
}
