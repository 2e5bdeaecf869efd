package io.hdrsidecar.internal.hlog;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Numbers of a log line: digits with a point, and at most an exponent. */
final class DecimalText {
  /** Java's parser also takes hexadecimal, a type suffix, NaN and blanks. */
  private static final Pattern FORM =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d{1,3})?");

  private static final int EXACT_DIGITS = 15;
  private static final double[] POWERS_OF_TEN = powersOfTen();

  private DecimalText() {}

  private static double[] powersOfTen() {
    double[] powers = new double[EXACT_DIGITS + 1];
    for (int i = 0; i < powers.length; i++) {
      powers[i] = Double.parseDouble("1e" + i);
    }
    return powers;
  }

  /**
   * The number, or NaN when the text is none.
   *
   * <p>Up to 15 digits, number and power of ten are exact doubles, and one division of two exact
   * doubles rounds as {@link Double#parseDouble} does; that spares a string for every field.
   */
  static double parse(byte[] text, int from, int to) {
    long number = 0;
    int point = -1;
    int digits = 0;
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (b >= '0' && b <= '9' && digits < EXACT_DIGITS) {
        number = number * 10 + (b - '0');
        digits++;
      } else if (b == '.' && point < 0) {
        point = i;
      } else {
        return parseSlowly(text, from, to);
      }
    }
    if (digits == 0) {
      return Double.NaN;
    }
    return point < 0 ? number : number / POWERS_OF_TEN[to - point - 1];
  }

  private static double parseSlowly(byte[] text, int from, int to) {
    String field = new String(text, from, to - from, StandardCharsets.UTF_8);
    return FORM.matcher(field).matches() ? Double.parseDouble(field) : Double.NaN;
  }
}
