package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.BinaryOperator;

/** Operators on numbers, as floating point has them. */
final class Arithmetic {
  private Arithmetic() {}

  /** A number; of a comparison, 1 or 0. */
  static double of(BinaryOperator operator, double left, double right) {
    return switch (operator) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      case MULTIPLY -> left * right;
      case DIVIDE -> left / right;
      case MODULO -> left % right;
      case ATAN2 -> Math.atan2(left, right);
      case POWER -> power(left, right);
      default -> compares(operator, left, right) ? 1 : 0;
    };
  }

  /** As C and Go have it, and Java has not: 1 to any power is 1. */
  private static double power(double base, double exponent) {
    return base == 1 || (base == -1 && Double.isInfinite(exponent)) ? 1 : Math.pow(base, exponent);
  }

  static boolean compares(BinaryOperator operator, double left, double right) {
    return switch (operator) {
      case EQUAL -> left == right;
      case NOT_EQUAL -> left != right;
      case LESS -> left < right;
      case LESS_OR_EQUAL -> left <= right;
      case GREATER -> left > right;
      case GREATER_OR_EQUAL -> left >= right;
      default -> throw new IllegalArgumentException("no comparison: " + operator);
    };
  }
}
