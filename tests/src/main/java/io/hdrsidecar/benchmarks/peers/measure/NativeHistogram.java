package io.hdrsidecar.benchmarks.peers.measure;

import io.prometheus.metrics.expositionformats.generated.Metrics;
import java.util.Map;
import java.util.TreeMap;

/**
 * A native histogram as a scrape brings it, and its quantiles as PromQL computes them.
 *
 * <p>The bucket of index i holds what is above 2^((i - 1) / 2^schema) and at or below 2^(i /
 * 2^schema); the zero bucket, what is at most the zero threshold. {@code histogram_quantile} goes
 * to the bucket with the rank quantile x count and interpolates within it: exponentially, or
 * linearly in the zero bucket (Prometheus 3, "Native Histograms", section "Interpolation within a
 * bucket"). Only values that are not negative.
 */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
final class NativeHistogram {
  private final int schema;
  private final double zeroThreshold;
  private final double zeroCount;
  private final Map<Integer, Double> buckets;

  NativeHistogram(
      int schema, double zeroThreshold, double zeroCount, Map<Integer, Double> buckets) {
    this.schema = schema;
    this.zeroThreshold = zeroThreshold;
    this.zeroCount = zeroCount;
    this.buckets = new TreeMap<>(buckets);
  }

  static NativeHistogram of(Metrics.Histogram histogram) {
    Map<Integer, Double> buckets = new TreeMap<>();
    int index = 0;
    int read = 0;
    long count = 0; // of whole numbers each is the difference to the bucket before
    for (Metrics.BucketSpan span : histogram.getPositiveSpanList()) {
      index += span.getOffset();
      for (int i = 0; i < span.getLength(); i++, index++, read++) {
        if (histogram.getPositiveDeltaCount() > 0) {
          count += histogram.getPositiveDelta(read);
          buckets.put(index, (double) count);
        } else {
          buckets.put(index, histogram.getPositiveCount(read));
        }
      }
    }
    double zeros =
        histogram.getZeroCountFloat() > 0
            ? histogram.getZeroCountFloat()
            : histogram.getZeroCount();
    return new NativeHistogram(histogram.getSchema(), histogram.getZeroThreshold(), zeros, buckets);
  }

  double quantile(double quantile) {
    double all = zeroCount + buckets.values().stream().mapToDouble(Double::doubleValue).sum();
    double rank = quantile * all;
    if (rank <= zeroCount && zeroCount > 0) {
      return zeroThreshold * rank / zeroCount;
    }
    double below = zeroCount;
    double edge = Double.NaN;
    for (Map.Entry<Integer, Double> bucket : buckets.entrySet()) {
      double inside = bucket.getValue();
      edge = bucket.getKey();
      if (inside > 0 && below + inside >= rank) {
        return power(edge - 1 + (rank - below) / inside);
      }
      below += inside;
    }
    return power(edge); // by rounding
  }

  private double power(double index) {
    return Math.pow(2, index / Math.pow(2, schema));
  }
}
