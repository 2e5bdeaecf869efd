package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.FloatText;
import java.util.ArrayList;
import java.util.List;

/** Cuts what stands for classic buckets into these: a number for each edge. */
final class EdgeCuts {
  private EdgeCuts() {}

  /** How many elements there are once they are cut. */
  static long count(List<Element> elements) {
    long count = 0;
    for (Element each : elements) {
      HistogramValue histogram = each.histogram();
      List<Double> edges = histogram == null ? null : histogram.edges();
      count += edges == null ? 1 : edges.size();
    }
    return count;
  }

  static List<Element> cut(List<Element> elements) {
    List<Element> cut = new ArrayList<>(elements.size());
    for (Element each : elements) {
      HistogramValue histogram = each.histogram();
      List<Double> edges = histogram == null ? null : histogram.edges();
      if (histogram == null || edges == null) {
        cut.add(each);
      } else {
        for (double edge : edges) {
          MetricLabels labels = each.labels().edge(FloatText.ofEdge(edge));
          double count =
              edge == Double.POSITIVE_INFINITY ? histogram.count() : histogram.countUpTo(edge);
          cut.add(Element.number(labels, count, true, each.sorts()));
        }
      }
    }
    return cut;
  }
}
