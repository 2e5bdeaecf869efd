package io.hdrsidecar.sidecar.promql;

/** What may stand between two expressions, from what binds least to what binds most. */
public enum BinaryOperator {
  OR("or", 1),
  AND("and", 2),
  UNLESS("unless", 2),
  EQUAL("==", 3),
  NOT_EQUAL("!=", 3),
  TRIM_UPPER("</", 3),
  TRIM_LOWER(">/", 3),
  LESS_OR_EQUAL("<=", 3),
  LESS("<", 3),
  GREATER_OR_EQUAL(">=", 3),
  GREATER(">", 3),
  ADD("+", 4),
  SUBTRACT("-", 4),
  MULTIPLY("*", 5),
  DIVIDE("/", 5),
  MODULO("%", 5),
  ATAN2("atan2", 5),
  POWER("^", 6);

  static final int LEAST_BINDING = 1;

  /** As much as a sign binds: -1^2 is -(1^2), and -a*b is (-a)*b. */
  static final int SIGN_BINDING = 5;

  private final String symbol;
  private final int binding;

  BinaryOperator(String symbol, int binding) {
    this.symbol = symbol;
    this.binding = binding;
  }

  /** As it is written. */
  public String symbol() {
    return symbol;
  }

  int binding() {
    return binding;
  }

  boolean isRightAssociative() {
    return this == POWER;
  }

  /** Whether it is about which elements there are, not about their values. */
  public boolean isSet() {
    return this == OR || this == AND || this == UNLESS;
  }

  /** Whether it compares values. */
  public boolean isComparison() {
    return binding == EQUAL.binding && isAnswered();
  }

  /** Whether it is answered here: histograms are not cut. */
  public boolean isAnswered() {
    return this != TRIM_UPPER && this != TRIM_LOWER;
  }

  boolean isWord() {
    return Character.isLetter(symbol.charAt(0));
  }
}
