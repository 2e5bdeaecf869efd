package io.hdrsidecar.client;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;

/**
 * The meaning of a series' values, and how finely they are kept apart. Immutable; start from {@link
 * #latency()} or {@link #of(Unit)}.
 *
 * @param unit unit of the values
 * @param lowestDiscernibleValue smallest difference kept apart, in the unit; at least 1
 * @param highestTrackableValue larger values count as this one; at least twice the lowest
 *     discernible value
 * @param significantDigits decimal digits kept apart at any magnitude, 0 to 5; each digit costs ten
 *     times the memory
 * @param help one line for the reader of the metric, at most 1,024 characters; may be empty
 */
public record RecorderConfig(
    Unit unit,
    long lowestDiscernibleValue,
    long highestTrackableValue,
    int significantDigits,
    String help) {
  private static final int MAX_HELP_LENGTH = 1024;
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  /** Checks the ranges; throws IllegalArgumentException. */
  public RecorderConfig {
    requireNonNull(unit, "unit");
    requireNonNull(help, "help");
    int counters =
        BucketLayout.of(lowestDiscernibleValue, significantDigits)
            .countersUpTo(highestTrackableValue);
    assert counters > 0;
    if (help.length() > MAX_HELP_LENGTH) {
      throw new IllegalArgumentException(
          "help must have at most " + MAX_HELP_LENGTH + " characters: " + help.length());
    }
  }

  /** Latencies in nanoseconds, 1 ns to 1 h, 3 significant digits. */
  public static RecorderConfig latency() {
    return of(Unit.NANOSECONDS);
  }

  /**
   * Values of a unit with 3 significant digits: times up to 1 h, bytes and plain numbers up to
   * 2<sup>40</sup>.
   */
  public static RecorderConfig of(Unit unit) {
    long highest =
        "seconds".equals(unit.baseUnit())
            ? (long) (HOUR_NANOS * (unit.perBaseUnit() / 1e9))
            : 1L << 40;
    return new RecorderConfig(unit, 1, highest, 3, "");
  }

  /** The same with another range. */
  public RecorderConfig withRange(long lowestDiscernible, long highestTrackable) {
    return new RecorderConfig(unit, lowestDiscernible, highestTrackable, significantDigits, help);
  }

  /** The same with other significant digits, 0 to 5. */
  public RecorderConfig withSignificantDigits(int digits) {
    return new RecorderConfig(unit, lowestDiscernibleValue, highestTrackableValue, digits, help);
  }

  /** The same with a line of help. */
  public RecorderConfig withHelp(String text) {
    return new RecorderConfig(
        unit, lowestDiscernibleValue, highestTrackableValue, significantDigits, text);
  }

  BucketLayout layout() {
    return BucketLayout.of(lowestDiscernibleValue, significantDigits);
  }
}
