package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One element of an instant vector.
 *
 * @param value meaningless when there is a histogram
 * @param histogram null for a number; the counts may change at the next step
 * @param isAddable whether it counts something, so that it may be added to others; a percentile may
 *     not
 * @param sorts of the series that it was made of
 */
record Element(
    MetricLabels labels,
    double value,
    @Nullable HistogramValue histogram,
    boolean isAddable,
    Sorts sorts) {
  static Element number(MetricLabels labels, double value, boolean isAddable, Sorts sorts) {
    return new Element(labels, value, null, isAddable, sorts);
  }

  static Element histogram(MetricLabels labels, HistogramValue value, Sorts sorts) {
    return new Element(labels, Double.NaN, value, true, sorts);
  }

  /** What a series, or a group of them, has counted, in one form; there is none for gauges. */
  static Element of(MetricLabels labels, ExposedForm form, HistogramValue counted, Sorts sorts) {
    return switch (form) {
      case COUNT -> number(labels, counted.count(), true, sorts);
      case SUM -> number(labels, counted.sum(), true, sorts);
      default -> histogram(labels, counted, sorts);
    };
  }

  /** Refuses a vector with two elements of the same labels. */
  static void requireDistinct(List<Element> vector) throws QueryException {
    Set<MetricLabels> seen = new HashSet<>();
    for (Element each : vector) {
      if (!seen.add(each.labels)) {
        throw QueryException.unsupported(
            "vector cannot contain metrics with the same labelset: " + each.labels);
      }
    }
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
    return new Element(others, value, histogram, isAddable, sorts);
  }

  Element with(double other) {
    return new Element(labels, other, null, isAddable, sorts);
  }
}
