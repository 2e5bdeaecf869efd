package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Grouping;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code topk}, {@code bottomk}, {@code sort} and {@code sort_desc}. Without histograms. */
final class OrderNode extends DerivedNode {
  private final String word;
  private final boolean descending;
  private final Grouping grouping;
  private final long most;

  /**
   * An order.
   *
   * @param word what it is called
   * @param most elements of each group
   */
  OrderNode(VectorNode of, String word, boolean descending, Grouping grouping, long most) {
    super(of);
    this.word = word;
    this.descending = descending;
    this.grouping = grouping;
    this.most = most;
  }

  @Override
  List<Element> derive(List<Element> elements, Annotations annotations) {
    Map<MetricLabels, List<Element>> groups = new LinkedHashMap<>();
    for (Element each : EdgeCuts.cut(elements)) {
      if (each.isHistogram()) {
        annotations.inform("ignored histogram in " + word);
      } else {
        groups
            .computeIfAbsent(each.labels().grouped(grouping), none -> new ArrayList<>())
            .add(each);
      }
    }
    List<Element> results = new ArrayList<>();
    for (List<Element> group : groups.values()) {
      group.sort(order());
      results.addAll(group.subList(0, (int) Math.min(group.size(), most)));
    }
    return results;
  }

  /** What is not a number comes last, in either direction. */
  private Comparator<Element> order() {
    Comparator<Element> byValue = Comparator.comparingDouble(Element::value);
    return Comparator.<Element, Boolean>comparing(each -> Double.isNaN(each.value()))
        .thenComparing(descending ? byValue.reversed() : byValue);
  }
}
