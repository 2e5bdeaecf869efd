package io.hdrsidecar.sidecar.otlp;

import java.math.BigDecimal;

/**
 * A number as it was sent, to its last digit: whole with 64 bits, or a double.
 *
 * @param bits of either
 */
record SentNumber(long bits, boolean isWhole) {
  static SentNumber of(long whole) {
    return new SentNumber(whole, true);
  }

  static SentNumber of(double number) {
    return new SentNumber(Double.doubleToRawLongBits(number), false);
  }

  /** Or the nearest one. */
  double toDouble() {
    return isWhole ? (double) bits : Double.longBitsToDouble(bits);
  }

  boolean isFinite() {
    return isWhole || Double.isFinite(toDouble());
  }

  /** The number itself, which must be finite. */
  BigDecimal exact() {
    return isWhole ? BigDecimal.valueOf(bits) : new BigDecimal(toDouble());
  }

  @Override
  public String toString() {
    return isWhole ? Long.toString(bits) : Double.toString(toDouble());
  }
}
