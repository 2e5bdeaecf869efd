package io.hdrsidecar.sidecar.promql;

import io.hdrsidecar.sidecar.promql.Expression.Aggregation;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Expression.Call;
import io.hdrsidecar.sidecar.promql.Expression.Parenthesis;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Expression.Subquery;
import io.hdrsidecar.sidecar.promql.Expression.Unary;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import java.util.ArrayList;
import java.util.List;

/** All selectors of an expression, in the order of its text. */
public final class SelectorsWithin {
  private final List<VectorSelector> found = new ArrayList<>();
  private final List<Expression> withRanges = new ArrayList<>();

  private SelectorsWithin() {}

  /** Those of this expression. */
  public static List<VectorSelector> of(Expression expression) {
    SelectorsWithin within = new SelectorsWithin();
    within.visit(expression);
    return within.found;
  }

  /** The same, those with a range as that. */
  public static List<Expression> withRanges(Expression expression) {
    SelectorsWithin within = new SelectorsWithin();
    within.visit(expression);
    return within.withRanges;
  }

  private void visit(Expression expression) {
    if (expression instanceof VectorSelector selector) {
      found.add(selector);
      withRanges.add(selector);
    } else if (expression instanceof RangeSelector range) {
      found.add(range.selector());
      withRanges.add(range);
    } else if (expression instanceof Call call) {
      call.arguments().forEach(this::visit);
    } else if (expression instanceof Aggregation aggregation) {
      visit(aggregation.of());
    } else if (expression instanceof Binary binary) {
      visit(binary.left());
      visit(binary.right());
    } else if (expression instanceof Unary unary) {
      visit(unary.of());
    } else if (expression instanceof Parenthesis parenthesis) {
      visit(parenthesis.of());
    } else if (expression instanceof Subquery subquery) {
      visit(subquery.of());
    }
  }
}
