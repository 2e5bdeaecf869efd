package io.hdrsidecar.sidecar.promql;

import io.hdrsidecar.sidecar.promql.Expression.Aggregation;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Expression.Call;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;

/** Refuses what is written well and cannot be meant, with Prometheus' words. */
final class TypeCheck {
  /** Instructions of all regular expressions of a query together, as they are estimated. */
  private static final int MAX_REGEX_SIZE = 10_000;

  private final String query;
  private long regexSize;

  TypeCheck(String query) {
    this.query = query;
  }

  private PromqlException at(int place, String message) {
    return PromqlException.syntax(query, place, message);
  }

  private void require(Expression of, ValueType wanted, String where) throws PromqlException {
    if (of.type() != wanted) {
      throw at(
          of.at(),
          "expected type " + wanted.words() + " in " + where + ", got " + of.type().words());
    }
  }

  /** A selector that has no condition which refuses a series without labels matches everything. */
  VectorSelector checked(VectorSelector selector) throws PromqlException {
    boolean refusesEmpty = false;
    for (Condition each : selector.conditions()) {
      refusesEmpty |= !compiled(each).accepts("");
    }
    if (refusesEmpty) {
      return selector;
    }
    throw at(
        selector.at(),
        "vector selector must contain at least one non-empty matcher; for all series write"
            + " {__name__=~\".+\"}");
  }

  private LabelMatcher compiled(Condition condition) throws PromqlException {
    if (condition.comparison().isRegex()) {
      regexSize += RegexSize.estimate(condition.value());
      if (regexSize > MAX_REGEX_SIZE) {
        throw at(condition.at(), "the regular expressions of a query are too large together");
      }
    }
    try {
      return LabelMatcher.of(condition);
    } catch (IllegalArgumentException e) {
      throw at(condition.at(), String.valueOf(e.getMessage()));
    }
  }

  void checkSigned(Expression of, int place) throws PromqlException {
    if (of.type() != ValueType.SCALAR && of.type() != ValueType.VECTOR) {
      throw at(
          place,
          "unary expression only allowed on expressions of type scalar or instant vector, got \""
              + of.type().words()
              + "\"");
    }
  }

  void checkSubquery(Expression of, int place) throws PromqlException {
    if (of.type() != ValueType.VECTOR) {
      throw at(
          place,
          "subquery is only allowed on instant vector, got " + of.type().words() + " instead");
    }
  }

  void check(Aggregation aggregation) throws PromqlException {
    Aggregator aggregator = aggregation.aggregator();
    Expression parameter = aggregation.parameter();
    int expected = aggregator.hasParameter() ? 2 : 1;
    int provided = parameter == null ? 1 : 2;
    if (expected != provided) {
      throw at(
          aggregation.at(),
          "wrong number of arguments for aggregate expression provided, expected "
              + expected
              + ", got "
              + provided);
    }
    require(aggregation.of(), ValueType.VECTOR, "aggregation expression");
    if (parameter != null) {
      require(parameter, aggregator.parameterType(), "aggregation parameter");
    }
  }

  void check(Call call) throws PromqlException {
    FunctionName function = call.function();
    int given = call.arguments().size();
    if (given < function.least() || given > function.most()) {
      String expected =
          function.least() == function.most()
              ? String.valueOf(function.least())
              : "at "
                  + (given < function.least()
                      ? "least " + function.least()
                      : "most " + function.most());
      throw at(
          call.at(),
          "expected "
              + expected
              + " argument(s) in call to \""
              + function.word()
              + "\", got "
              + given);
    }
    for (int i = 0; i < given; i++) {
      require(
          call.arguments().get(i),
          function.argument(i),
          "call to function \"" + function.word() + "\"");
    }
  }

  void check(Binary binary) throws PromqlException {
    BinaryOperator operator = binary.operator();
    requireOperand(binary.left());
    requireOperand(binary.right());
    boolean left = binary.left().type() == ValueType.SCALAR;
    boolean right = binary.right().type() == ValueType.SCALAR;
    if (operator.isSet() && (left || right)) {
      throw at(
          binary.at(),
          "set operator \"" + operator.symbol() + "\" not allowed in binary scalar expression");
    }
    if (operator.isComparison() && left && right && !binary.returnsBool()) {
      throw at(binary.at(), "comparisons between scalars must use BOOL modifier");
    }
    if ((left || right) && !binary.matching().labels().isEmpty()) {
      throw at(binary.at(), "vector matching only allowed between instant vectors");
    }
  }

  private void requireOperand(Expression of) throws PromqlException {
    if (of.type() != ValueType.SCALAR && of.type() != ValueType.VECTOR) {
      throw at(of.at(), "binary expression must contain only scalar and instant vector types");
    }
  }
}
