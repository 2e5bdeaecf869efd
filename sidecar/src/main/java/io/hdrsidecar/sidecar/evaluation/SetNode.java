package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.BinaryOperator;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Matching;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** {@code and}, {@code or}, {@code unless}: which elements of two vectors there are. */
final class SetNode extends PairedNode {
  /**
   * By what elements belong together.
   *
   * @param hasEdges whether it has the labels {@code le} of classic buckets besides
   */
  private record Signature(MetricLabels labels, boolean hasEdges) {}

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
    if (areToldApart(ones, others)) {
      ones = EdgeCuts.cut(ones);
      others = EdgeCuts.cut(others);
    }
    if (operator == BinaryOperator.OR) {
      List<Element> results = new ArrayList<>(ones);
      Set<Signature> there = signatures(ones);
      others.stream().filter(each -> !there.contains(signature(each))).forEach(results::add);
      return results;
    }
    Set<Signature> there = signatures(others);
    boolean wanted = operator == BinaryOperator.AND;
    return ones.stream().filter(each -> there.contains(signature(each)) == wanted).toList();
  }

  /** Whether some of what a classic element stands for may match, and some not. */
  private boolean areToldApart(List<Element> ones, List<Element> others) {
    Map<MetricLabels, List<Double>> edgesOf = new HashMap<>();
    for (Element each : Stream.concat(ones.stream(), others.stream()).toList()) {
      if (each.isBucket()) {
        return true;
      }
      HistogramValue histogram = each.histogram();
      List<Double> edges = histogram == null ? null : histogram.edges();
      if (edges != null) {
        List<Double> before = edgesOf.putIfAbsent(each.labels().matched(matching), edges);
        if (edges.isEmpty() || (before != null && !before.equals(edges))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Elements that stand for the same buckets match as these do; others have no {@code le}. */
  private Signature signature(Element element) {
    boolean takesPart = matching.on() == matching.labels().contains(MetricLabels.LE);
    return new Signature(element.labels().matched(matching), takesPart && element.isClassic());
  }

  private Set<Signature> signatures(List<Element> elements) {
    Set<Signature> signatures = new HashSet<>();
    elements.forEach(each -> signatures.add(signature(each)));
    return signatures;
  }
}
