package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.List;

/** A selector alone: what series have counted since start, and the gauges of their windows. */
final class SelectorNode extends PairedNode {
  SelectorNode(VectorSelector selector, EvaluationScope scope) {
    super(new CumulativeNode(selector, scope), new GaugeNode(selector, scope));
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    List<Element> elements = new ArrayList<>(left.at(step, annotations));
    elements.addAll(right.at(step, annotations));
    return elements;
  }
}
