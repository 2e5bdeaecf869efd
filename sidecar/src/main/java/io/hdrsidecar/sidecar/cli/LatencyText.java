package io.hdrsidecar.sidecar.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/**
 * Lines of a time and a latency, {@code 1441812279.474 0.0123}, separated by spaces, tabs, commas
 * or semicolons.
 */
final class LatencyText {
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,;]+");
  private static final BigDecimal NANOS_IN_MILLI = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal LAST_MILLI = BigDecimal.valueOf(253_402_300_799_999L);
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 2);

  private final ValueUnit timeUnit;
  private final ValueUnit valueUnit;
  private final int timeColumn;
  private final int valueColumn;
  private long timeMillis;
  private long value;

  /**
   * How to read lines.
   *
   * @param timeColumn the first is 1
   */
  LatencyText(ValueUnit timeUnit, int timeColumn, ValueUnit valueUnit, int valueColumn) {
    this.timeUnit = timeUnit;
    this.timeColumn = timeColumn;
    this.valueUnit = valueUnit;
    this.valueColumn = valueColumn;
  }

  /** Since the epoch, of the line read last. */
  long timeMillis() {
    return timeMillis;
  }

  /** In nanoseconds, of the line read last. */
  long value() {
    return value;
  }

  /** Whether a line is a comment, empty, or, as the first of a file, a heading. */
  static boolean isRemark(String line, long number) {
    String text = line.strip();
    return text.isEmpty()
        || text.startsWith("#")
        || (number == 1 && !Character.isDigit(text.charAt(0)));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException with the reason when it cannot be read
   */
  void read(String line) {
    String[] fields = SEPARATOR.split(line.strip(), -1);
    if (fields.length < Math.max(timeColumn, valueColumn)) {
      throw new IllegalArgumentException(
          "expected a time in column "
              + timeColumn
              + " and a value in column "
              + valueColumn
              + ", but there are "
              + fields.length);
    }
    timeMillis = millis(fields[timeColumn - 1]);
    value = rounded(fields[valueColumn - 1]);
  }

  private long millis(String text) {
    BigDecimal millis;
    if (text.indexOf('T') > 0) {
      try {
        return OffsetDateTime.parse(text).toInstant().toEpochMilli();
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(
            "not a time with its zone (2015-09-09T15:24:39.5Z): " + text, e);
      }
    }
    millis = timeUnit.scaled(number(text, "time")).divide(NANOS_IN_MILLI, RoundingMode.FLOOR);
    if (millis.signum() < 0 || millis.compareTo(LAST_MILLI) > 0) {
      throw new IllegalArgumentException(
          "time must lie between the years 1970 and 9999, see --time-unit: " + text);
    }
    return millis.longValue();
  }

  private long rounded(String text) {
    BigDecimal exact = valueUnit.scaled(number(text, "value"));
    if (exact.signum() < 0 || exact.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("value must be 0 to 4.6e18 nanoseconds: " + text);
    }
    return exact.setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  static BigDecimal number(String text, String what) {
    // BigDecimal takes exponents of nine digits, and would write them out.
    if (!text.matches("[-+]?[0-9.]{1,40}([eE][-+]?[0-9]{1,2})?")) {
      throw new IllegalArgumentException(what + " must be a number: " + text);
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(what + " must be a number: " + text, e);
    }
  }
}
