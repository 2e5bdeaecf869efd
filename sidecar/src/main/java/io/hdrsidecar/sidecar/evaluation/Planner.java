package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Aggregator;
import io.hdrsidecar.sidecar.promql.BinaryOperator;
import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.Expression.Aggregation;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Expression.Call;
import io.hdrsidecar.sidecar.promql.Expression.NumberLiteral;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Expression.StringLiteral;
import io.hdrsidecar.sidecar.promql.Expression.Unary;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.FunctionName;
import io.hdrsidecar.sidecar.promql.Grouping;
import io.hdrsidecar.sidecar.promql.Matching;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.ValueType;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Makes what can be evaluated of an expression, and refuses what is not answered, saying where. */
final class Planner {
  private static final String ANSWERED =
      "; answered are selectors of histograms and of their window gauges, the functions "
          + FunctionName.answered()
          + ", the aggregations "
          + Aggregator.answered()
          + ", operators, offset and @ (docs/promql.md)";

  private final String query;
  private final EvaluationScope scope;

  Planner(String query, EvaluationScope scope) {
    this.query = query;
    this.scope = scope;
  }

  private PromqlException refused(Expression at, String what) {
    return PromqlException.unsupported(query, at.at(), what + " is not answered here" + ANSWERED);
  }

  /** The value of a scalar expression, which are all constant. */
  double scalar(Expression expression) throws PromqlException {
    Expression bare = expression.bare();
    if (bare instanceof NumberLiteral number) {
      return number.value();
    }
    if (bare instanceof Unary unary) {
      return unary.negative() ? -scalar(unary.of()) : scalar(unary.of());
    }
    if (bare instanceof Binary binary) {
      requireAnswered(binary);
      return Arithmetic.of(binary.operator(), scalar(binary.left()), scalar(binary.right()));
    }
    if (bare instanceof Call call) {
      throw refused(call, "function " + call.function().word());
    }
    throw refused(bare, "this");
  }

  /** What gives a vector. */
  VectorNode vector(Expression expression) throws PromqlException, QueryException {
    Expression bare = expression.bare();
    if (bare instanceof VectorSelector selector) {
      return new SelectorNode(checked(selector), scope);
    }
    if (bare instanceof Call call) {
      return call(call);
    }
    if (bare instanceof Aggregation aggregation) {
      return aggregation(aggregation);
    }
    if (bare instanceof Binary binary) {
      return binary(binary);
    }
    if (bare instanceof Unary unary) {
      VectorNode of = vector(unary.of());
      return unary.negative()
          ? new ScalarOperationNode(of, BinaryOperator.MULTIPLY, -1, true, false)
          : of;
    }
    throw refused(bare, "a " + bare.type().words() + " in this place");
  }

  /** Names of metrics that the sidecar has, and that are no histograms of series. */
  private VectorSelector checked(VectorSelector selector) throws PromqlException {
    for (Condition each : selector.conditions()) {
      if (each.label().equals(Condition.NAME)
          && each.comparison() == Condition.Comparison.EQUAL
          && (each.value().startsWith("hdr_") || each.value().startsWith("process_"))) {
        throw PromqlException.unsupported(
            query,
            each.at(),
            each.value()
                + " is one of the sidecar's own metrics, which are on /metrics for Prometheus and"
                + " have no past here"
                + ANSWERED);
      }
    }
    return selector;
  }

  private VectorNode call(Call call) throws PromqlException, QueryException {
    String word = call.function().word();
    if (!call.function().isAnswered()) {
      throw refused(call, "function " + word);
    }
    List<Expression> arguments = call.arguments();
    return switch (word) {
      case "rate", "increase" -> rate(call, null);
      case "max_over_time", "min_over_time" ->
          new ExtremeNode(range(arguments.get(0)), word.startsWith("max"), scope);
      case "histogram_quantile" -> {
        double quantile = scalar(arguments.get(0));
        yield new HistogramFunctionNode(
            vector(arguments.get(1)), word, true, false, value -> value.quantile(quantile));
      }
      case "histogram_fraction" -> {
        double lower = scalar(arguments.get(0));
        double upper = scalar(arguments.get(1));
        yield new HistogramFunctionNode(
            vector(arguments.get(2)), word, true, false, value -> value.fraction(lower, upper));
      }
      case "histogram_count" -> ofNative(arguments, word, true, HistogramValue::count);
      case "histogram_sum" -> ofNative(arguments, word, true, HistogramValue::sum);
      case "histogram_avg" ->
          ofNative(arguments, word, false, value -> value.sum() / value.count());
      case "histogram_stddev" -> ofNative(arguments, word, false, HistogramValue::stddev);
      case "sort", "sort_desc" ->
          new OrderNode(
              vector(arguments.get(0)),
              word,
              word.equals("sort_desc"),
              new Grouping(false, List.of()),
              Long.MAX_VALUE);
      case "label_replace" ->
          LabelReplaceNode.of(
              vector(arguments.get(0)),
              List.of(
                  text(arguments, 1), text(arguments, 2), text(arguments, 3), text(arguments, 4)));
      default -> throw refused(call, "function " + word);
    };
  }

  private HistogramFunctionNode ofNative(
      List<Expression> arguments,
      String word,
      boolean isAddable,
      ToDoubleFunction<HistogramValue> number)
      throws PromqlException, QueryException {
    return new HistogramFunctionNode(vector(arguments.get(0)), word, false, isAddable, number);
  }

  private static String text(List<Expression> arguments, int i) {
    return arguments.get(i).bare() instanceof StringLiteral literal ? literal.value() : "";
  }

  private RangeSelector range(Expression expression) throws PromqlException {
    if (expression.bare() instanceof RangeSelector range) {
      checked(range.selector());
      return range;
    }
    throw refused(expression, "a subquery");
  }

  private RateNode rate(Call call, @Nullable Grouping sum) throws PromqlException {
    boolean isRate = call.function().word().equals("rate");
    return new RateNode(range(call.arguments().get(0)), isRate, sum, scope);
  }

  private VectorNode aggregation(Aggregation aggregation) throws PromqlException, QueryException {
    Aggregator aggregator = aggregation.aggregator();
    if (!aggregator.isAnswered()) {
      throw refused(aggregation, "aggregation " + aggregator.word());
    }
    Expression of = aggregation.of().bare();
    Grouping grouping = aggregation.grouping();
    if (aggregator == Aggregator.TOPK || aggregator == Aggregator.BOTTOMK) {
      return order(aggregation);
    }
    if (aggregator == Aggregator.SUM && of instanceof Call call && isRate(call)) {
      return new AggregateNode(rate(call, grouping), aggregator, grouping);
    }
    VectorNode node = vector(of);
    if (node instanceof HistogramFunctionNode function && !function.isAddable()) {
      requireExtreme(aggregation);
    }
    return new AggregateNode(node, aggregator, grouping);
  }

  /** Whether there are elements or not, so that the answer does not depend on it. */
  private void requireExtreme(Aggregation aggregation) throws PromqlException {
    Aggregator aggregator = aggregation.aggregator();
    if (aggregator == Aggregator.SUM || aggregator == Aggregator.AVG) {
      throw PromqlException.unsupported(query, aggregation.at(), AggregateNode.refusal(aggregator));
    }
  }

  private static boolean isRate(Call call) {
    String word = call.function().word();
    return word.equals("rate") || word.equals("increase");
  }

  private OrderNode order(Aggregation aggregation) throws PromqlException, QueryException {
    Expression parameter = aggregation.parameter();
    double most = parameter == null ? 0 : scalar(parameter);
    if (Double.isNaN(most) || most > Long.MAX_VALUE) {
      throw QueryException.unsupported("Scalar value " + most + " overflows int64");
    }
    return new OrderNode(
        vector(aggregation.of()),
        aggregation.aggregator().word(),
        aggregation.aggregator() == Aggregator.TOPK,
        aggregation.grouping(),
        Math.max(0, (long) most));
  }

  private void requireAnswered(Binary binary) throws PromqlException {
    if (!binary.operator().isAnswered()) {
      throw refused(binary, "operator " + binary.operator().symbol());
    }
  }

  private VectorNode binary(Binary binary) throws PromqlException, QueryException {
    requireAnswered(binary);
    if (binary.matching().group() != Matching.Group.NONE) {
      throw refused(
          binary, "matching of many to one (" + binary.matching().group().keyword() + ")");
    }
    boolean leftIsScalar = binary.left().type() == ValueType.SCALAR;
    boolean rightIsScalar = binary.right().type() == ValueType.SCALAR;
    if (leftIsScalar || rightIsScalar) {
      double scalar = scalar(leftIsScalar ? binary.left() : binary.right());
      return new ScalarOperationNode(
          vector(leftIsScalar ? binary.right() : binary.left()),
          binary.operator(),
          scalar,
          leftIsScalar,
          binary.returnsBool());
    }
    VectorNode left = vector(binary.left());
    VectorNode right = vector(binary.right());
    return binary.operator().isSet()
        ? new SetNode(left, right, binary)
        : new VectorOperationNode(left, right, binary);
  }
}
