package io.hdrsidecar.fleet.demo;

import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** What was recorded into one series, as HdrHistogram and plain numbers remember it. Any thread. */
final class RawTruth {
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private final Histogram histogram = new Histogram(1, HOUR_NANOS, 3); // all guarded by this
  private BigInteger sum = BigInteger.ZERO;
  private long min = Long.MAX_VALUE;
  private long max;

  void record(long value) {
    record(value, 1);
  }

  /** Counts a value so often, once or more. */
  synchronized void record(long value, long times) {
    histogram.recordValueWithCount(value, times);
    sum = sum.add(BigInteger.valueOf(value).multiply(BigInteger.valueOf(times)));
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  /** Adds what another one has, which stands still. */
  synchronized void add(RawTruth other) {
    synchronized (other) {
      histogram.add(other.histogram);
      sum = sum.add(other.sum);
      min = Math.min(min, other.min);
      max = Math.max(max, other.max);
    }
  }

  synchronized long count() {
    return histogram.getTotalCount();
  }

  /** As the fleet answers it. */
  synchronized FleetStatistics statistics(double... percentiles) {
    Map<Double, Long> values = new TreeMap<>();
    for (double percentile : percentiles) {
      values.put(percentile, Math.min(max, histogram.getValueAtPercentile(percentile)));
    }
    Map<Long, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(
          histogram.highestEquivalentValue(value.getValueIteratedTo()),
          value.getCountAtValueIteratedTo());
    }
    return new FleetStatistics(histogram.getTotalCount(), sum, min, max, values, buckets);
  }
}
