package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;

/** What {@code --unit} says of the values in logs. */
final class UnitOption {
  private UnitOption() {}

  /**
   * Reads a unit.
   *
   * @throws IllegalArgumentException naming the option and all units, for any other text
   */
  static Unit parse(String text) {
    try {
      return Unit.ofSymbol(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--unit " + e.getMessage(), e);
    }
  }
}
