package io.hdrsidecar.sidecar.statsd;

/**
 * Reads decimal numbers, such as {@code 12}, {@code -0.25} and {@code 1.5e3}, without allocating
 * and without the rounding of doubles. Made to be filled again; one thread at a time.
 */
final class DecimalNumber {
  /** Digits that a long holds whatever they are; further ones only change the exponent. */
  private static final int MOST_DIGITS = 18;

  /** Beyond this any number is 0 or too large, and sums of exponents cannot overflow. */
  private static final int MOST_EXPONENT = 10_000;

  private static final long[] POWERS = powers();

  private long mantissa;
  private int exponent;
  private boolean negative;
  private boolean cut;
  private boolean rounded;
  private boolean isNumber;

  private static long[] powers() {
    long[] powers = new long[MOST_DIGITS + 1];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = 10 * powers[i - 1];
    }
    return powers;
  }

  /**
   * Reads what stands in front of the first colon, or of the end. Nearly all numbers are some
   * digits with a point, and those are looked at once.
   *
   * @return where the colon is, or {@code to}; {@link #isNumber} says whether it was a number
   */
  int readToColon(byte[] bytes, int from, int to) {
    int first = from < to && bytes[from] == '-' ? from + 1 : from;
    int at = first;
    long digits = 0;
    while (at < to && isDigit(bytes[at])) {
      digits = 10 * digits + bytes[at++] - '0';
    }
    int places = 0;
    int count = at - first;
    if (at < to && bytes[at] == '.') {
      int behindPoint = ++at;
      while (at < to && isDigit(bytes[at])) {
        digits = 10 * digits + bytes[at++] - '0';
      }
      places = at - behindPoint;
      count += places;
    }
    if (count > 0 && count <= MOST_DIGITS && (at == to || bytes[at] == ':')) {
      mantissa = digits;
      exponent = -places;
      negative = first > from;
      cut = false;
      isNumber = true;
      return at;
    }
    int colon = StatsdLine.indexOf(bytes, (byte) ':', from, to);
    int end = colon < 0 ? to : colon;
    isNumber = read(bytes, from, end);
    return end;
  }

  /** Whether {@link #readToColon} has read a number and nothing else. */
  boolean isNumber() {
    return isNumber;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /**
   * Reads the bytes from {@code from} up to, not with, {@code to}.
   *
   * @return whether they are a number and nothing else; NaN and infinities are none
   */
  boolean read(byte[] bytes, int from, int to) {
    mantissa = 0;
    exponent = 0;
    cut = false;
    int at = from;
    negative = at < to && bytes[at] == '-';
    if (negative || (at < to && bytes[at] == '+')) {
      at++;
    }
    int digits = 0;
    int used = 0;
    boolean point = false;
    for (; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit >= 0 && digit <= 9) {
        digits++;
        if (used < MOST_DIGITS) {
          mantissa = mantissa * 10 + digit;
          used += mantissa == 0 ? 0 : 1;
          exponent -= point ? 1 : 0;
        } else {
          cut |= digit != 0;
          exponent += point ? 0 : 1;
        }
      } else if (bytes[at] == '.' && !point) {
        point = true;
      } else {
        break;
      }
    }
    return digits > 0 && (at == to || readExponent(bytes, at, to));
  }

  private boolean readExponent(byte[] bytes, int from, int to) {
    int at = from + 1;
    if ((bytes[from] | 0x20) != 'e') {
      return false;
    }
    boolean down = at < to && bytes[at] == '-';
    if (down || (at < to && bytes[at] == '+')) {
      at++;
    }
    int power = 0;
    int first = at;
    for (; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      power = Math.min(MOST_EXPONENT, power * 10 + digit);
    }
    exponent += down ? -power : power;
    return at > first;
  }

  /** Whether it is below 0. */
  boolean isNegative() {
    return negative && mantissa != 0;
  }

  /**
   * Its amount, without the sign, times a power of ten, rounded to the nearest, halves up.
   *
   * @param power of ten, -18 to 18
   * @return 0 or more; {@link Long#MAX_VALUE} for that and anything above
   */
  long times10To(int power) {
    int shift = exponent + power;
    rounded = cut;
    if (mantissa == 0) {
      return 0;
    }
    if (shift >= 0) {
      if (shift > MOST_DIGITS || Math.multiplyHigh(mantissa, POWERS[shift]) != 0) {
        return Long.MAX_VALUE;
      }
      long product = mantissa * POWERS[shift];
      return product < 0 ? Long.MAX_VALUE : product;
    }
    if (-shift > MOST_DIGITS) {
      rounded = true;
      return 0;
    }
    long divisor = POWERS[-shift];
    long rest = mantissa % divisor;
    rounded |= rest != 0;
    return mantissa / divisor + (rest >= divisor - rest ? 1 : 0);
  }

  /** Its amount, without the sign, times a factor of 0 or more, rounded to the nearest. */
  long times(double factor) {
    double product = toDouble() * factor;
    long nearest = Math.round(product);
    rounded = product != nearest;
    return nearest;
  }

  /** Its amount, without the sign, to the nearest double or its neighbour. */
  double toDouble() {
    if (exponent <= 0 && exponent >= -MOST_DIGITS) {
      return (double) mantissa / POWERS[-exponent]; // 0.3 itself, which 3 * 0.1 is not
    }
    return mantissa * Math.pow(10, exponent);
  }

  /** Whether the last result is not the number itself. */
  boolean isRounded() {
    return rounded;
  }
}
