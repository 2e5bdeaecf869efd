package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.FloatText;
import java.util.ArrayList;
import java.util.List;

/** Cuts what stands for classic buckets into these: a number for each edge. */
final class EdgeCuts {
  private EdgeCuts() {}

  static List<Element> cut(List<Element> elements) {
    List<Element> cut = new ArrayList<>(elements.size());
    for (Element each : elements) {
      HistogramValue histogram = each.histogram();
      List<Double> edges = histogram == null ? null : histogram.edges();
      if (histogram == null || edges == null) {
        cut.add(each);
      } else {
        for (double edge : edges) {
          MetricLabels labels = each.labels().with(MetricLabels.LE, FloatText.ofEdge(edge));
          double count =
              edge == Double.POSITIVE_INFINITY ? histogram.count() : histogram.countUpTo(edge);
          cut.add(Element.number(labels, count, true));
        }
      }
    }
    return cut;
  }
}
