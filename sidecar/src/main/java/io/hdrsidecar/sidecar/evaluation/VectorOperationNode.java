package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.BinaryOperator;
import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Matching;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Arithmetic and comparison of two vectors whose elements belong together one to one. */
final class VectorOperationNode extends PairedNode {
  private final BinaryOperator operator;
  private final boolean returnsBool;
  private final Matching matching;

  VectorOperationNode(VectorNode left, VectorNode right, Binary binary) {
    super(left, right);
    this.operator = binary.operator();
    this.returnsBool = binary.returnsBool();
    this.matching = binary.matching();
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    Map<MetricLabels, Element> bySignature = new HashMap<>();
    for (Element each : EdgeCuts.cut(right.at(step, annotations))) {
      requireSingle(bySignature.put(each.labels().matched(matching), each), each, "right");
    }
    List<Element> results = new ArrayList<>();
    Set<MetricLabels> used = new HashSet<>();
    for (Element each : EdgeCuts.cut(left.at(step, annotations))) {
      MetricLabels signature = each.labels().matched(matching);
      Element other = bySignature.get(signature);
      if (other != null) {
        requireSingle(used.add(signature) ? null : each, each, "left");
        operate(each, other, signature, results);
      }
    }
    return results;
  }

  private void requireSingle(@Nullable Element before, Element one, String side)
      throws QueryException {
    if (before != null) {
      throw QueryException.unsupported(
          "found duplicate series for the match group "
              + one.labels().matched(matching)
              + " on the "
              + side
              + " hand-side of the operation: "
              + before.labels()
              + ", "
              + one.labels()
              + "; many-to-many matching not allowed: matching labels must be unique on one side");
    }
  }

  private void operate(Element one, Element other, MetricLabels signature, List<Element> into)
      throws QueryException {
    Sorts sorts = one.sorts().and(other.sorts());
    if (isSum(one, other)) {
      Mixtures.refuse(sorts);
    }
    MetricLabels labels = operator.isComparison() && !returnsBool ? kept(one) : signature;
    if (one.isHistogram() || other.isHistogram()) {
      into.add(Element.histogram(labels, histogram(one, other), sorts));
    } else if (!operator.isComparison()) {
      double value = Arithmetic.of(operator, one.value(), other.value());
      into.add(Element.number(labels, value, isAddable(one, other), sorts));
    } else if (returnsBool) {
      double value = Arithmetic.of(operator, one.value(), other.value());
      into.add(Element.number(labels, value, true, Sorts.NONE));
    } else if (Arithmetic.compares(operator, one.value(), other.value())) {
      into.add(one.with(labels));
    }
  }

  /** Percentiles may be subtracted, which compares them. */
  private boolean isSum(Element one, Element other) {
    boolean isCounted = one.isAddable() && other.isAddable();
    return operator == BinaryOperator.ADD || (operator == BinaryOperator.SUBTRACT && isCounted);
  }

  /** Those of the left side by which it was matched, with its name. */
  private MetricLabels kept(Element one) {
    MetricLabels labels = one.labels().matched(matching);
    String name = one.labels().get(Condition.NAME);
    return matching.on() ? labels : labels.with(Condition.NAME, name);
  }

  private boolean isAddable(Element one, Element other) {
    return switch (operator) {
      case MULTIPLY -> one.isAddable() || other.isAddable();
      case ADD, SUBTRACT -> one.isAddable() && other.isAddable();
      default -> false;
    };
  }

  private HistogramValue histogram(Element one, Element other) throws QueryException {
    HistogramValue first = one.histogram();
    HistogramValue second = other.histogram();
    if (first != null && second != null && operator == BinaryOperator.ADD) {
      return first.and(second);
    }
    throw QueryException.unsupported(
        "of two vectors with histograms only + is answered; take a number of each histogram first,"
            + " such as histogram_count");
  }
}
