package io.hdrsidecar.tests.chaos;

import java.util.Map;
import org.HdrHistogram.Histogram;

/** What one series must show: raw values, put into buckets by HdrHistogram itself. */
final class SeriesTruth {
  private final Histogram histogram =
      new Histogram(1, ChaosClient.HIGHEST_NANOS, ChaosClient.DIGITS);
  private long sum;

  void add(long value) {
    histogram.recordValue(value);
    sum += value;
  }

  long count() {
    return histogram.getTotalCount();
  }

  /** Nanoseconds. */
  long sum() {
    return sum;
  }

  Map<Long, Long> buckets() {
    return Buckets.of(histogram);
  }
}
