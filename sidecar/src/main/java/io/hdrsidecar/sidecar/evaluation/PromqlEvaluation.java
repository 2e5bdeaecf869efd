package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.Expression.StringLiteral;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.promql.ValueType;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.List;

/** Evaluates queries at a moment, or step by step over a range. Any thread, one query each. */
public final class PromqlEvaluation {
  /** Each has its windows, and may have files open. */
  private static final int MAX_SELECTORS = 16;

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
   * @throws PromqlException when it is none, or has too many selectors
   */
  public static PromqlEvaluation of(String query, EvaluationScope scope) throws PromqlException {
    Expression parsed = PromqlParser.parse(query);
    if (SelectorsWithin.of(parsed).size() > MAX_SELECTORS) {
      throw PromqlException.unsupported(
          query, parsed.at(), "more than " + MAX_SELECTORS + " selectors are not answered at once");
    }
    return new PromqlEvaluation(query, parsed, scope);
  }

  /**
   * Evaluates it at one time.
   *
   * @throws PromqlException when it is not answered
   * @throws QueryException when it would cost too much, or has no answer
   */
  public EvaluatedResult at(long timeMillis) throws PromqlException, QueryException {
    HeapClaim claim = scope.query().claim();
    long before = claim.bytes();
    long read = scope.effort().intervals();
    try {
      return once(timeMillis);
    } catch (HeapFullException e) {
      if (!scope.effort().becomeFrugal(e)) {
        throw e;
      }
      claim.resize(claim.bytes(), before);
      scope.effort().beginAgain(read);
      return once(timeMillis);
    }
  }

  private EvaluatedResult once(long timeMillis) throws PromqlException, QueryException {
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
      result.add(timeMillis, result.samples(node.at(0, annotations)));
    } finally {
      scope.readings().close();
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
      new RangeRun(query, expression, range, scope, result, annotations).run();
      PastRemarks.add(expression, range.startMillis(), range.endMillis(), scope, annotations);
    }
    result.describe(annotations);
    return new EvaluatedResult(
        ValueType.MATRIX, range.endMillis(), Double.NaN, "", result.sorted(), annotations);
  }
}
