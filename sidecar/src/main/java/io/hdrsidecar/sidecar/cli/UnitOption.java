package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code --unit} says of the values in logs. */
final class UnitOption {
  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      description =
          "Unit of the values in all logs: ns, us, ms, s, bytes or none (default: that of the"
              + " program which wrote a log, where that is known: jHiccup, YCSB).")
  private @Nullable String unit;

  /**
   * The unit that was asked for; null for that of the logs.
   *
   * @throws IllegalArgumentException naming the option and all units, for any other text
   */
  @Nullable Unit given() {
    try {
      return unit == null ? null : Unit.ofSymbol(unit);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--unit " + e.getMessage(), e);
    }
  }
}
