package io.hdrsidecar.sidecar.evaluation;

/** Makes elements of what a series, or a group of them, has counted. */
final class SeriesForms {
  private SeriesForms() {}

  /** The elements of a distribution in one form; none for gauges. */
  static Element element(MetricLabels labels, ExposedForm form, HistogramValue value, Sorts sorts) {
    return switch (form) {
      case COUNT -> Element.number(labels, value.count(), true, sorts);
      case SUM -> Element.number(labels, value.sum(), true, sorts);
      default -> Element.histogram(labels, value, sorts);
    };
  }
}
