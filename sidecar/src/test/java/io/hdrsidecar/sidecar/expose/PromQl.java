package io.hdrsidecar.sidecar.expose;

/**
 * Quantiles of histograms as Prometheus computes them, written from its documentation
 * (https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile): linear
 * interpolation in the classic bucket that reaches the rank, exponential in the native one.
 */
final class PromQl {
  private PromQl() {}

  /** From classic buckets, of which the last is the infinite one. */
  static double classicQuantile(double quantile, HistogramReading reading) {
    double rank = quantile * reading.count();
    int bucket = 0;
    while (bucket < reading.edges() - 1 && reading.cumulativeAt(bucket) < rank) {
      bucket++;
    }
    if (bucket == reading.edges() - 1) {
      return reading.edgeAt(reading.edges() - 2); // the highest finite edge
    }
    double start = bucket == 0 ? 0 : reading.edgeAt(bucket - 1);
    long below = bucket == 0 ? 0 : reading.cumulativeAt(bucket - 1);
    double share = (rank - below) / (reading.cumulativeAt(bucket) - below);
    return start + (reading.edgeAt(bucket) - start) * share;
  }

  /** From native buckets of values that are not negative. */
  static double nativeQuantile(double quantile, NativeBuckets buckets) {
    double total = buckets.zeroCount();
    for (int i = 0; i < buckets.size(); i++) {
      total += buckets.countAt(i);
    }
    double rank = quantile * total;
    double reached = buckets.zeroCount();
    if (reached > 0 && reached >= rank) {
      return NativeSchema.ZERO_THRESHOLD * rank / reached;
    }
    for (int i = 0; i < buckets.size(); i++) {
      if (reached + buckets.countAt(i) >= rank || i == buckets.size() - 1) {
        int index = buckets.indexAt(i);
        double lower = NativeSchema.upperBound(index - 1, buckets.schema());
        double upper = NativeSchema.upperBound(index, buckets.schema());
        double share = (rank - reached) / buckets.countAt(i);
        return lower * Math.pow(upper / lower, share);
      }
      reached += buckets.countAt(i);
    }
    throw new IllegalStateException("no values");
  }
}
