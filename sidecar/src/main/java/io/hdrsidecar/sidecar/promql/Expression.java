package io.hdrsidecar.sidecar.promql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of a query's tree. Its text is that of Prometheus' own parser. */
public sealed interface Expression {
  /** Where it begins in the query, in characters from 0. */
  int at();

  /** What it gives. */
  ValueType type();

  /** A number, or a length of time in seconds. */
  record NumberLiteral(double value, boolean isDuration, int at) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.SCALAR;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** Text in quotes. */
  record StringLiteral(String value, int at) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.STRING;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * Series at a moment.
   *
   * @param name as written in front of the braces; empty if it is within, or none
   * @param conditions those of the name among them, in the order of the text
   */
  record VectorSelector(String name, List<Condition> conditions, Shift shift, int at)
      implements Expression {
    @Override
    public ValueType type() {
      return ValueType.VECTOR;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** Series over a range. */
  record RangeSelector(VectorSelector selector, long rangeMillis, int at) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.MATRIX;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * An expression evaluated over a range.
   *
   * @param stepMillis 0 for the default
   */
  record Subquery(Expression of, long rangeMillis, long stepMillis, Shift shift, int at)
      implements Expression {
    @Override
    public ValueType type() {
      return ValueType.MATRIX;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A function and its arguments. */
  record Call(FunctionName function, List<Expression> arguments, int at) implements Expression {
    @Override
    public ValueType type() {
      return function.returns();
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * Elements of a vector taken together.
   *
   * @param parameter of those that have one, such as topk
   */
  record Aggregation(
      Aggregator aggregator,
      @Nullable Expression parameter,
      Expression of,
      Grouping grouping,
      int at)
      implements Expression {
    @Override
    public ValueType type() {
      return ValueType.VECTOR;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** Two expressions and what is between them. */
  record Binary(
      BinaryOperator operator,
      Expression left,
      Expression right,
      boolean returnsBool,
      Matching matching,
      int at)
      implements Expression {
    @Override
    public ValueType type() {
      return left.type() == ValueType.SCALAR && right.type() == ValueType.SCALAR
          ? ValueType.SCALAR
          : ValueType.VECTOR;
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A sign. */
  record Unary(boolean negative, Expression of, int at) implements Expression {
    @Override
    public ValueType type() {
      return of.type();
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** Parentheses. */
  record Parenthesis(Expression of, int at) implements Expression {
    @Override
    public ValueType type() {
      return of.type();
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** This without the parentheses around it. */
  default Expression bare() {
    Expression inner = this;
    while (inner instanceof Parenthesis around) {
      inner = around.of();
    }
    return inner;
  }
}
