package io.hdrsidecar.sidecar.evaluation;

import org.jspecify.annotations.Nullable;

/**
 * One element of a result, which does not change any more.
 *
 * @param value meaningless when there is a histogram
 */
record Sample(MetricLabels labels, double value, @Nullable ResultHistogram histogram) {
  private static final long BYTES = 40;

  long cost() {
    return histogram == null ? BYTES : BYTES + 96 + ResultHistogram.BUCKET_BYTES * histogram.size();
  }
}
