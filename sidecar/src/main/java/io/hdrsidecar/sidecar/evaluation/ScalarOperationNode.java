package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.BinaryOperator;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.List;

/** A vector and a number, in either order. */
final class ScalarOperationNode extends DerivedNode {
  private final BinaryOperator operator;
  private final double scalar;
  private final boolean scalarIsLeft;
  private final boolean returnsBool;

  ScalarOperationNode(
      VectorNode of,
      BinaryOperator operator,
      double scalar,
      boolean scalarIsLeft,
      boolean returnsBool) {
    super(of);
    this.operator = operator;
    this.scalar = scalar;
    this.scalarIsLeft = scalarIsLeft;
    this.returnsBool = returnsBool;
  }

  private boolean isFactor() {
    return operator == BinaryOperator.MULTIPLY
        || (operator == BinaryOperator.DIVIDE && !scalarIsLeft);
  }

  @Override
  List<Element> derive(List<Element> elements, Annotations annotations) throws QueryException {
    List<Element> results = new ArrayList<>(elements.size());
    for (Element each : isFactor() ? elements : EdgeCuts.cut(elements)) {
      HistogramValue histogram = each.histogram();
      if (histogram == null) {
        number(each, results);
      } else if (isFactor()) {
        results.add(
            Element.histogram(
                each.labels().withoutName(), histogram.times(requireFactor()), each.sorts()));
      } else {
        annotations.inform(
            "incompatible sample types encountered for binary operator \""
                + operator.symbol()
                + "\": "
                + (scalarIsLeft ? "float and histogram" : "histogram and float"));
      }
    }
    return results;
  }

  private double requireFactor() throws QueryException {
    double factor = operator == BinaryOperator.MULTIPLY ? scalar : 1 / scalar;
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw QueryException.unsupported(
          "histograms are multiplied or divided by numbers above 0 only, not by " + scalar);
    }
    return factor;
  }

  private void number(Element element, List<Element> into) {
    double left = scalarIsLeft ? scalar : element.value();
    double right = scalarIsLeft ? element.value() : scalar;
    if (!operator.isComparison()) {
      into.add(
          element.with(Arithmetic.of(operator, left, right)).with(element.labels().withoutName()));
    } else if (returnsBool) {
      into.add(
          Element.number(
              element.labels().withoutName(),
              Arithmetic.of(operator, left, right),
              true,
              Sorts.NONE));
    } else if (Arithmetic.compares(operator, left, right)) {
      into.add(element);
    }
  }
}
