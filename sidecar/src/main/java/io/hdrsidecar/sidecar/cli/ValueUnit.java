package io.hdrsidecar.sidecar.cli;

import java.math.BigDecimal;

/** Units of what is imported; times are recorded in nanoseconds. */
enum ValueUnit {
  NS(1),
  US(1_000),
  MS(1_000_000),
  S(1_000_000_000),
  /** Plain numbers, recorded as they are. */
  NONE(1);

  private final BigDecimal factor;

  ValueUnit(long factor) {
    this.factor = BigDecimal.valueOf(factor);
  }

  boolean isTime() {
    return this != NONE;
  }

  /** How many nanoseconds it has. */
  double nanos() {
    return factor.doubleValue();
  }

  /** The number in nanoseconds, or as it is; with its fraction. */
  BigDecimal scaled(BigDecimal number) {
    return number.multiply(factor);
  }
}
