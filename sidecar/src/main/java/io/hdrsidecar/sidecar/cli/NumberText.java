package io.hdrsidecar.sidecar.cli;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Numbers as the log tools print and read them. */
final class NumberText {
  private NumberText() {}

  /** A value divided by the ratio: a whole number as such, anything else with three decimals. */
  static String value(double value, double ratio) {
    double scaled = value / ratio;
    return ratio == 1 && scaled == Math.rint(scaled) && Math.abs(scaled) < 0x1p63
        ? String.format(Locale.ROOT, "%d", (long) scaled)
        : String.format(Locale.ROOT, "%.3f", scaled);
  }

  /** The same of a number that may have more digits than a double keeps. */
  static String value(Number value, double ratio) {
    return ratio == 1 && value instanceof Long
        ? value.toString()
        : value(value.doubleValue(), ratio);
  }

  /** A percentile as people write it: 99.9, not 99.90000. */
  static String percentile(double percentile) {
    return new BigDecimal(Double.toString(percentile)).stripTrailingZeros().toPlainString();
  }

  /** The same with three decimals at least: 99.900. */
  static String paddedPercentile(double percentile) {
    BigDecimal exact = new BigDecimal(percentile(percentile));
    return exact.setScale(Math.max(3, exact.scale())).toPlainString();
  }

  /**
   * {@code 50,99.9}.
   *
   * @throws IllegalArgumentException when one is no number from 0 to 100
   */
  static List<Double> percentiles(String text) {
    return Arrays.stream(text.split(",", -1)).map(NumberText::onePercentile).toList();
  }

  private static double onePercentile(String text) {
    double percentile;
    try {
      percentile = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      percentile = Double.NaN;
    }
    if (!(percentile >= 0 && percentile <= 100)) {
      throw new IllegalArgumentException(
          "percentiles must be numbers from 0 to 100, separated by commas: " + text);
    }
    return percentile;
  }
}
