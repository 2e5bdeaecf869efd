package io.hdrsidecar.tests.promql;

import java.util.function.DoubleUnaryOperator;

/** Where a number must lie, both ends included. NaN is the number of nothing. */
record Interval(double low, double high) {
  /** By which sums of the same numbers in another order may differ. */
  private static final double ROUNDING = 1e-9;

  static Interval of(double exactly) {
    return new Interval(exactly, exactly);
  }

  boolean isNaN() {
    return Double.isNaN(low) || Double.isNaN(high);
  }

  boolean has(double number) {
    return number >= low - slack(low) && number <= high + slack(high);
  }

  boolean meets(Interval other) {
    return low <= other.high + slack(high) && other.low <= high + slack(high);
  }

  private static double slack(double number) {
    return Double.isInfinite(number) ? 0 : Math.abs(number) * ROUNDING + 1e-12;
  }

  /** Both ends by a function that only rises, or only falls. */
  Interval map(DoubleUnaryOperator monotone) {
    double one = monotone.applyAsDouble(low);
    double other = monotone.applyAsDouble(high);
    return new Interval(Math.min(one, other), Math.max(one, other));
  }

  @Override
  public String toString() {
    return low == high ? Double.toString(low) : "[" + low + ", " + high + "]";
  }
}
