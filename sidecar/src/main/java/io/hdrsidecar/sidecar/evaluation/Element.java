package io.hdrsidecar.sidecar.evaluation;

import org.jspecify.annotations.Nullable;

/**
 * One element of an instant vector.
 *
 * @param value meaningless when there is a histogram
 * @param histogram null for a number; the counts may change at the next step
 * @param isAddable whether it counts something, so that it may be added to others; a percentile may
 *     not
 */
record Element(
    MetricLabels labels, double value, @Nullable HistogramValue histogram, boolean isAddable) {
  static Element number(MetricLabels labels, double value, boolean isAddable) {
    return new Element(labels, value, null, isAddable);
  }

  static Element histogram(MetricLabels labels, HistogramValue value) {
    return new Element(labels, Double.NaN, value, true);
  }

  boolean isHistogram() {
    return histogram != null;
  }

  /** Whether it stands for classic buckets, which it can be cut into. */
  boolean isClassic() {
    return histogram != null && histogram.isClassic();
  }

  /** Whether it is one bucket of a classic histogram that was cut. */
  boolean isBucket() {
    return histogram == null && !labels.get(MetricLabels.LE).isEmpty();
  }

  Element with(MetricLabels others) {
    return new Element(others, value, histogram, isAddable);
  }

  Element with(double other) {
    return new Element(labels, other, null, isAddable);
  }
}
