package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.LateIntervals;
import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.Expression.StringLiteral;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.promql.ValueType;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates queries at a moment, or step by step over a range. Any thread, one query each. */
public final class PromqlEvaluation {
  private final String query;
  private final Expression expression;
  private final EvaluationScope scope;

  private PromqlEvaluation(String query, Expression expression, EvaluationScope scope) {
    this.query = query;
    this.expression = expression;
    this.scope = scope;
  }

  /**
   * Reads a query.
   *
   * @throws PromqlException when it is none
   */
  public static PromqlEvaluation of(String query, EvaluationScope scope) throws PromqlException {
    return new PromqlEvaluation(query, PromqlParser.parse(query), scope);
  }

  /**
   * Evaluates it at one time.
   *
   * @throws PromqlException when it is not answered
   * @throws QueryException when it would cost too much, or has no answer
   */
  public EvaluatedResult at(long timeMillis) throws PromqlException, QueryException {
    Annotations annotations = new Annotations();
    Planner planner = new Planner(query, scope);
    if (expression.bare() instanceof StringLiteral text) {
      return new EvaluatedResult(
          ValueType.STRING, timeMillis, Double.NaN, text.value(), List.of(), annotations);
    }
    if (expression.type() == ValueType.SCALAR) {
      double scalar = planner.scalar(expression);
      return new EvaluatedResult(ValueType.SCALAR, timeMillis, scalar, "", List.of(), annotations);
    }
    ResultBuilder result = new ResultBuilder(scope);
    try (VectorNode node = planner.vector(expression)) {
      node.prepare(new Moments(new long[] {timeMillis}, timeMillis, timeMillis));
      result.add(timeMillis, ResultBuilder.samples(node.at(0, annotations), scope));
    }
    PastRemarks.add(expression, timeMillis, timeMillis, scope, annotations);
    result.describe(annotations);
    return new EvaluatedResult(
        ValueType.VECTOR, timeMillis, Double.NaN, "", result.inOrderOfSteps(), annotations);
  }

  /**
   * Evaluates it at each step; steps that are past are remembered, and not evaluated again.
   *
   * @param range start, end and step
   * @throws PromqlException when it is not answered
   * @throws QueryException when it would cost too much, or has no answer
   */
  public EvaluatedResult over(StepRange range) throws PromqlException, QueryException {
    if (expression.type() != ValueType.SCALAR && expression.type() != ValueType.VECTOR) {
      throw QueryException.badParameter(
          "invalid parameter \"query\": invalid expression type \""
              + expression.type().words()
              + "\" for range query, must be Scalar or instant Vector");
    }
    Annotations annotations = new Annotations();
    ResultBuilder result = new ResultBuilder(scope);
    Planner planner = new Planner(query, scope);
    if (expression.type() == ValueType.SCALAR) {
      double scalar = planner.scalar(expression);
      for (long time : range.times()) {
        result.add(time, List.of(new Sample(MetricLabels.EMPTY, scalar, null)));
      }
    } else {
      try (VectorNode node = planner.vector(expression);
          LateIntervals.Watch late = scope.query().store().past().late().watch()) {
        evaluate(node, range, late, result, annotations);
      }
      PastRemarks.add(expression, range.startMillis(), range.endMillis(), scope, annotations);
    }
    result.describe(annotations);
    return new EvaluatedResult(
        ValueType.MATRIX, range.endMillis(), Double.NaN, "", result.sorted(), annotations);
  }

  private void evaluate(
      VectorNode node,
      StepRange range,
      LateIntervals.Watch late,
      ResultBuilder result,
      Annotations annotations)
      throws QueryException {
    StepCache cache = cache();
    String key = expression.toString();
    if (cache != null) {
      cache.refresh(scope.nowMillis());
    }
    long[] times = range.times();
    @Nullable CachedStep[] known = new CachedStep[times.length];
    int unknown = 0;
    long[] evaluated = times.clone();
    for (int i = 0; i < times.length; i++) {
      known[i] = cache == null ? null : cache.get(key, scope.edges(), times[i]);
      if (known[i] == null) {
        evaluated[unknown++] = times[i];
      }
    }
    if (unknown > 0) {
      node.prepare(
          new Moments(Arrays.copyOf(evaluated, unknown), range.startMillis(), range.endMillis()));
    }
    int step = 0;
    for (int i = 0; i < times.length; i++) {
      CachedStep one = known[i];
      if (one == null) {
        scope.requireWanted();
        Annotations ofStep = new Annotations();
        one =
            new CachedStep(
                ResultBuilder.samples(node.at(step++, ofStep), scope), ofStep.coverage());
        annotations.addAll(ofStep);
        boolean isSettled =
            times[i] <= scope.nowMillis() - LateIntervals.SETTLED_MILLIS
                && times[i] < late.earliestEnd();
        if (cache != null && isSettled && ofStep.isQuiet()) {
          cache.put(key, scope.edges(), times[i], one);
        }
      }
      annotations.cover(one.coverage());
      result.add(times[i], one.samples());
    }
  }

  /** Null for a query whose steps are not settled when they are past: they look elsewhere. */
  private @Nullable StepCache cache() {
    boolean looksBack =
        SelectorsWithin.of(expression).stream().allMatch(each -> each.shift().looksBack());
    return looksBack ? scope.cache() : null;
  }
}
