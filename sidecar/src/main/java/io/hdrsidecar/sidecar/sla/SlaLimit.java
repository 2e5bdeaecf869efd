package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.series.Unit;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One row of an SLA: the given share of all values must not exceed the limit.
 *
 * @param percentile above 0, at most 100; 100 is the maximum
 * @param limit in the base unit
 * @param baseUnit {@code seconds}, {@code bytes}, or empty for plain numbers
 * @param text the limit as written, such as {@code 500ms}
 */
public record SlaLimit(BigDecimal percentile, BigDecimal limit, String baseUnit, String text) {
  /** The percentile that stands for the maximum. */
  public static final BigDecimal MAXIMUM = BigDecimal.valueOf(100);

  private static final Pattern PERCENTILE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,12})?)\\s*%");
  private static final Pattern AMOUNT =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([a-zA-Zµ]*)");

  /** Checks the ranges; throws IllegalArgumentException. */
  public SlaLimit {
    if (percentile.signum() <= 0 || percentile.compareTo(MAXIMUM) > 0) {
      throw new IllegalArgumentException(
          "percentile must be above 0 and at most 100: " + percentile.toPlainString());
    }
    if (limit.signum() < 0 || (limit.signum() == 0 && !baseUnit.isEmpty())) {
      throw new IllegalArgumentException("limit must be above 0: " + text);
    }
    percentile = percentile.stripTrailingZeros();
    limit = limit.stripTrailingZeros();
  }

  /**
   * The row written so.
   *
   * @param percentileText such as {@code 99.9%}
   * @param limitText a duration ({@code ns us ms s m h d}), a size ({@code B KiB MiB GiB}) or a
   *     plain number
   * @throws IllegalArgumentException for anything else
   */
  public static SlaLimit parse(String percentileText, String limitText) {
    Matcher amount = AMOUNT.matcher(limitText.strip());
    if (!amount.matches()) {
      throw notALimit(limitText);
    }
    BigDecimal number = new BigDecimal(amount.group(1));
    String unit = amount.group(2);
    return switch (unit) {
      case "" -> new SlaLimit(percentile(percentileText), number, "", limitText);
      case "B" -> new SlaLimit(percentile(percentileText), number, "bytes", limitText);
      case "KiB" -> size(percentileText, number, 10, limitText);
      case "MiB" -> size(percentileText, number, 20, limitText);
      case "GiB" -> size(percentileText, number, 30, limitText);
      default ->
          new SlaLimit(
              percentile(percentileText),
              number.multiply(secondsIn(unit, limitText)),
              "seconds",
              limitText);
    };
  }

  private static SlaLimit size(String percentile, BigDecimal number, int shift, String text) {
    BigDecimal bytes = number.multiply(BigDecimal.valueOf(1L << shift));
    return new SlaLimit(percentile(percentile), bytes, "bytes", text);
  }

  private static BigDecimal secondsIn(String unit, String text) {
    return switch (unit) {
      case "ns" -> BigDecimal.ONE.movePointLeft(9);
      case "us", "µs" -> BigDecimal.ONE.movePointLeft(6);
      case "ms" -> BigDecimal.ONE.movePointLeft(3);
      case "s" -> BigDecimal.ONE;
      case "m" -> BigDecimal.valueOf(60);
      case "h" -> BigDecimal.valueOf(3_600);
      case "d" -> BigDecimal.valueOf(86_400);
      default -> throw notALimit(text);
    };
  }

  private static IllegalArgumentException notALimit(String text) {
    return new IllegalArgumentException(
        "not a limit such as 20ms, 1.5s, 64KiB, or 100 for plain numbers: " + text);
  }

  /**
   * The percentile written so.
   *
   * @throws IllegalArgumentException when it is not a number and a percent sign, or out of range
   */
  static BigDecimal percentile(String text) {
    Matcher matcher = PERCENTILE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a percentile such as 99.9%: " + text);
    }
    return new BigDecimal(matcher.group(1));
  }

  /** Value of the label {@code quantile}: 0.999 for 99.9 %, 1 for 100 %. */
  public String quantileLabel() {
    return percentile.movePointLeft(2).stripTrailingZeros().toPlainString();
  }

  /** For people: {@code 99.9%}. */
  public String percentileText() {
    return percentile.toPlainString() + "%";
  }

  /** A value as the limit is written, to four digits: {@code 72.35ms} beside {@code 50ms}. */
  String likewise(long value, Unit unit) {
    Matcher amount = AMOUNT.matcher(text.strip());
    if (!amount.matches() || amount.group(2).isEmpty()) {
      return Long.toString(value);
    }
    BigDecimal perUnit = limit.divide(new BigDecimal(amount.group(1)), MathContext.DECIMAL64);
    return BigDecimal.valueOf(value)
            .divide(BigDecimal.valueOf(unit.perBaseUnit()), MathContext.DECIMAL64)
            .divide(perUnit, new MathContext(4))
            .stripTrailingZeros()
            .toPlainString()
        + amount.group(2);
  }

  /**
   * The limit in this unit, rounded down: values are whole numbers, so one that is not above the
   * limit is not above its whole part.
   */
  public long in(Unit unit) {
    return limit
        .multiply(BigDecimal.valueOf(unit.perBaseUnit()))
        .setScale(0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }
}
