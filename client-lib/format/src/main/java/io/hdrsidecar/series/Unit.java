package io.hdrsidecar.series;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The unit of a series' values. Inside, values stay in their own unit; at the exposition they are
 * divided into Prometheus' base unit once. Immutable.
 */
public enum Unit {
  NANOSECONDS(1, "ns", "seconds", 1e9),
  MICROSECONDS(2, "us", "seconds", 1e6),
  MILLISECONDS(3, "ms", "seconds", 1e3),
  SECONDS(4, "s", "seconds", 1),
  BYTES(5, "bytes", "bytes", 1),
  /** Plain numbers, such as queue lengths. */
  NONE(6, "none", "", 1);

  private final int code;
  private final String symbol;
  private final String baseUnit;
  private final double perBaseUnit;

  Unit(int code, String symbol, String baseUnit, double perBaseUnit) {
    this.code = code;
    this.symbol = symbol;
    this.baseUnit = baseUnit;
    this.perBaseUnit = perBaseUnit;
  }

  /** The number that stands for this unit on the wire. */
  public int code() {
    return code;
  }

  /**
   * The symbol that a user writes: {@code ns}, {@code us}, {@code ms}, {@code s}, {@code bytes},
   * {@code none}.
   */
  public String symbol() {
    return symbol;
  }

  /** Suffix of the metric's name: {@code seconds}, {@code bytes}, or empty. */
  public String baseUnit() {
    return baseUnit;
  }

  /** A value of this unit in the base unit. */
  public double toBaseUnit(double value) {
    return value / perBaseUnit;
  }

  /** How many of this unit make one base unit. */
  public double perBaseUnit() {
    return perBaseUnit;
  }

  /** The unit with this number on the wire, if there is one. */
  public static Optional<Unit> ofCode(int code) {
    return Arrays.stream(values()).filter(unit -> unit.code == code).findFirst();
  }

  /**
   * The unit written so.
   *
   * @throws IllegalArgumentException for anything but the six symbols; it names them
   */
  public static Unit ofSymbol(String symbol) {
    return Arrays.stream(values())
        .filter(unit -> unit.symbol.equals(symbol))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("must be one of " + symbols() + ": " + symbol));
  }

  private static String symbols() {
    return Arrays.stream(values()).map(Unit::symbol).collect(Collectors.joining(", "));
  }
}
