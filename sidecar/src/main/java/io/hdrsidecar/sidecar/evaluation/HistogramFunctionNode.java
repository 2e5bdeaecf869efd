package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A number of each histogram, such as a quantile. */
final class HistogramFunctionNode extends DerivedNode {
  static final String QUANTILE = "histogram_quantile";

  private final String function;
  private final boolean takesClassic;
  private final boolean isAddable;
  private final ToDoubleFunction<HistogramValue> number;

  /**
   * A function.
   *
   * @param takesClassic whether classic buckets are a histogram to it
   * @param isAddable whether the results may be added up
   */
  HistogramFunctionNode(
      VectorNode of,
      String function,
      boolean takesClassic,
      boolean isAddable,
      ToDoubleFunction<HistogramValue> number) {
    super(of);
    this.function = function;
    this.takesClassic = takesClassic;
    this.isAddable = isAddable;
    this.number = number;
  }

  /** Whether its results may be added up. */
  boolean isAddable() {
    return isAddable;
  }

  @Override
  List<Element> derive(List<Element> elements, Annotations annotations) throws QueryException {
    List<Element> results = new ArrayList<>(elements.size());
    for (Element each : elements) {
      HistogramValue histogram = each.histogram();
      if (histogram == null) {
        refuseCut(each);
      } else if (!histogram.isClassic() || takesClassic) {
        if (function.equals(QUANTILE)) {
          annotations.tellBoundsOf(histogram);
        }
        double value = lacksInfinity(histogram) ? Double.NaN : number.applyAsDouble(histogram);
        results.add(Element.number(each.labels().withoutName(), value, isAddable, each.sorts()));
      }
    }
    return results;
  }

  /** Without the last bucket nobody knows how many values there are, as in Prometheus. */
  private static boolean lacksInfinity(HistogramValue histogram) {
    List<Double> edges = histogram.edges();
    return edges != null && !edges.contains(Double.POSITIVE_INFINITY);
  }

  private void refuseCut(Element element) throws QueryException {
    if (takesClassic && !element.labels().get(MetricLabels.LE).isEmpty()) {
      throw QueryException.unsupported(
          function
              + ": these buckets were cut at their edges already, and what lies between edges is"
              + " lost; answered are "
              + function
              + " of rate, increase, sum or avg of the _bucket series, kept by le, or of the"
              + " histogram itself");
    }
  }
}
