package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.BinaryOperator;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Matching;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@code and}, {@code or}, {@code unless}: which elements of two vectors there are. */
final class SetNode extends PairedNode {
  private final BinaryOperator operator;
  private final Matching matching;

  SetNode(VectorNode left, VectorNode right, Binary binary) {
    super(left, right);
    this.operator = binary.operator();
    this.matching = binary.matching();
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    List<Element> ones = left.at(step, annotations);
    List<Element> others = right.at(step, annotations);
    if (dependsOnEdges(ones) || dependsOnEdges(others)) {
      ones = EdgeCuts.cut(ones);
      others = EdgeCuts.cut(others);
    }
    if (operator == BinaryOperator.OR) {
      List<Element> results = new ArrayList<>(ones);
      Set<MetricLabels> there = signatures(ones);
      others.stream().filter(each -> !there.contains(signature(each))).forEach(results::add);
      return results;
    }
    Set<MetricLabels> there = signatures(others);
    boolean wanted = operator == BinaryOperator.AND;
    return ones.stream().filter(each -> there.contains(signature(each)) == wanted).toList();
  }

  /** Whether buckets are single elements, or are told apart. */
  private boolean dependsOnEdges(List<Element> elements) {
    return matching.labels().contains(MetricLabels.LE)
        || elements.stream()
            .anyMatch(each -> !each.isHistogram() && !each.labels().get(MetricLabels.LE).isEmpty());
  }

  private MetricLabels signature(Element element) {
    return element.labels().matched(matching);
  }

  private Set<MetricLabels> signatures(List<Element> elements) {
    Set<MetricLabels> signatures = new HashSet<>();
    elements.forEach(each -> signatures.add(signature(each)));
    return signatures;
  }
}
