package io.hdrsidecar.tests.chaos;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** The buckets of HdrHistogram's own histogram, as a map. */
final class Buckets {
  private Buckets() {}

  /** Counts by the lowest value of their bucket; empty buckets are absent. */
  static Map<Long, Long> of(Histogram histogram) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      buckets.put(
          histogram.lowestEquivalentValue(value.getValueIteratedTo()),
          value.getCountAtValueIteratedTo());
    }
    return buckets;
  }
}
