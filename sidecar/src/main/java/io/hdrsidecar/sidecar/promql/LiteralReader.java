package io.hdrsidecar.sidecar.promql;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what stands for itself: text in quotes, numbers, lengths of time.
 *
 * <pre>
 * string   = as in Go: in double or single quotes with escapes, or in backquotes without
 * number   = decimal, with exponent, hexadecimal, with "_" between digits, Inf, NaN; or a duration
 * duration = { digits ( "y" | "w" | "d" | "h" | "m" | "s" | "ms" ) }, from the longest unit down
 * </pre>
 */
final class LiteralReader {
  private static final String[] UNITS = {"y", "w", "d", "h", "m", "s", "ms"};
  private static final long[] MILLIS = {
    31_536_000_000L, 604_800_000L, 86_400_000L, 3_600_000L, 60_000L, 1000L, 1L
  };

  /** As in Prometheus, whose durations are nanoseconds in 63 bits. */
  private static final BigInteger MOST_MILLIS = BigInteger.valueOf(Long.MAX_VALUE / 1_000_000);

  /** Behind or in front of what is no digit. */
  private static final Pattern BAD_UNDERSCORE = Pattern.compile("_([_.eE]|$)|\\._");

  private final QueryScanner in;

  LiteralReader(QueryScanner in) {
    this.in = in;
  }

  /** Whether a number or a length of time comes next. */
  boolean isNumber() {
    char c = in.next();
    return QueryScanner.isDigit(c) || (c == '.' && QueryScanner.isDigit(in.peek(1)));
  }

  /** Whether text in quotes comes next. */
  boolean isString() {
    char c = in.next();
    return c == '"' || c == '\'' || c == '`';
  }

  /** A number without a sign, or a length of time, in seconds. */
  Expression.NumberLiteral number() throws PromqlException {
    in.next();
    int start = in.position();
    if (in.peek(0) == '0' && (in.peek(1) == 'x' || in.peek(1) == 'X')) {
      return new Expression.NumberLiteral(hexadecimal(start), false, start);
    }
    String digits = digits();
    if (isUnit() && !digits.isEmpty()) {
      in.reset(start);
      return new Expression.NumberLiteral(durationMillis() / 1000.0, true, start);
    }
    if (in.peek(0) == '.') {
      in.skip(1);
      digits();
    }
    exponent();
    refuseTail(start);
    double value = value(in.since(start).replace("_", ""));
    if (Double.isInfinite(value)) {
      throw in.at(start, "error parsing number: value out of range: \"" + in.since(start) + "\"");
    }
    return new Expression.NumberLiteral(value, false, start);
  }

  /** As in Go, a whole number that begins with 0 is octal, if it can be. */
  private static double value(String text) {
    return text.length() > 1 && text.matches("0[0-7]+")
        ? new BigInteger(text, 8).doubleValue()
        : Double.parseDouble(text);
  }

  private String digits() {
    return in.takeAll(c -> QueryScanner.isDigit(c) || c == '_');
  }

  private void exponent() {
    char c = in.peek(0);
    char sign = in.peek(1);
    int signs = sign == '+' || sign == '-' ? 1 : 0;
    if ((c == 'e' || c == 'E') && QueryScanner.isDigit(in.peek(1 + signs))) {
      in.skip(1 + signs);
      digits();
    }
  }

  private double hexadecimal(int start) throws PromqlException {
    in.skip(2);
    String digits = in.takeAll(c -> Character.digit(c, 16) >= 0 || c == '_').replace("_", "");
    refuseTail(start);
    if (digits.isEmpty() || digits.length() > 16) {
      throw in.at(start, "bad number syntax: \"" + in.since(start) + "\"");
    }
    return new BigInteger(digits, 16).doubleValue();
  }

  private void refuseTail(int start) throws PromqlException {
    String read = in.since(start);
    if (BAD_UNDERSCORE.matcher(read).find() || isTail(in.peek(0))) {
      in.takeAll(LiteralReader::isTail);
      throw in.at(start, "bad number or duration syntax: \"" + in.since(start) + "\"");
    }
  }

  private static boolean isTail(int c) {
    return c == '.' || (c != ':' && QueryScanner.isWordPart((char) c));
  }

  private boolean isUnit() {
    return "ywdhms".indexOf(in.peek(0)) >= 0 && in.peek(0) != 0;
  }

  /** A length of time written as one or as seconds, in milliseconds; more than 0. */
  long positiveMillis() throws PromqlException {
    in.next();
    int start = in.position();
    if (!isNumber()) {
      throw in.unexpected(", expected a duration");
    }
    long millis = millis(number());
    if (millis <= 0) {
      throw in.at(start, "duration must be greater than 0");
    }
    return millis;
  }

  /** The same behind any number of signs, and no comment. */
  long rangeMillis() throws PromqlException {
    in.takeAll(QueryScanner::isBlank);
    int start = in.position();
    String signs = in.takeAll(c -> QueryScanner.isBlank(c) || isSign(c));
    if (in.peek(0) == '#') {
      throw in.at(in.position(), "unexpected character in duration expression: '#'");
    }
    long millis = positiveMillis();
    if (isNegative(signs)) {
      throw in.at(start, "duration must be greater than 0");
    }
    return millis;
  }

  /** The same, also below 0, and 0. */
  long offsetMillis() throws PromqlException {
    String signs = signs();
    if (!isNumber()) {
      throw in.unexpected(" in offset, expected a duration");
    }
    long millis = millis(number());
    if (signs.length() > 1 && "+-*/%^".indexOf(in.next()) >= 0) {
      // To Prometheus, too, which would reckon with the duration if that were switched on.
      throw in.unexpected(" in offset, expected a duration with at most one sign");
    }
    return isNegative(signs) ? -millis : millis;
  }

  private String signs() {
    StringBuilder signs = new StringBuilder();
    while (isSign(in.next())) {
      signs.append(in.next());
      in.skip(1);
    }
    return signs.toString();
  }

  private static boolean isSign(int c) {
    return c == '+' || c == '-';
  }

  private static boolean isNegative(String signs) {
    return signs.chars().filter(c -> c == '-').count() % 2 == 1;
  }

  private long millis(Expression.NumberLiteral seconds) throws PromqlException {
    double millis = Math.rint(seconds.value() * 1000);
    if (!(millis <= MOST_MILLIS.doubleValue())) {
      throw in.at(seconds.at(), "duration out of range");
    }
    return (long) millis;
  }

  private long durationMillis() throws PromqlException {
    int start = in.position();
    BigInteger sum = BigInteger.ZERO;
    int unit = -1;
    while (QueryScanner.isDigit(in.peek(0))) {
      String digits = in.takeAll(QueryScanner::isDigit);
      int next = unitAt(unit + 1);
      if (next < 0 || digits.length() > 18) {
        in.takeAll(LiteralReader::isTail);
        throw in.at(start, "not a valid duration string: \"" + in.since(start) + "\"");
      }
      unit = next;
      sum = sum.add(new BigInteger(digits).multiply(BigInteger.valueOf(MILLIS[unit])));
    }
    refuseTail(start);
    if (sum.compareTo(MOST_MILLIS) > 0) {
      throw in.at(start, "duration out of range");
    }
    return sum.longValueExact();
  }

  /** Takes a unit no longer than that; -1 for none. */
  private int unitAt(int longest) {
    int found = -1;
    for (int i = longest; i < UNITS.length; i++) {
      boolean matches = UNITS[i].charAt(0) == in.peek(0);
      boolean isLong = UNITS[i].length() == 1 || in.peek(1) == 's';
      if (matches && isLong && (found < 0 || UNITS[i].length() > UNITS[found].length())) {
        found = i;
      }
    }
    if (found >= 0) {
      in.skip(UNITS[found].length());
      return found;
    }
    return -1;
  }

  /** Text in quotes. */
  String string() throws PromqlException {
    in.next();
    int start = in.position();
    char quote = in.peek(0);
    in.skip(1);
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    while (in.peek(0) != quote) {
      char c = in.peek(0);
      if (in.isBehindEnd() || (c == '\n' && quote != '`')) {
        throw in.at(start, "unterminated quoted string");
      }
      if (c == '\\' && quote != '`') {
        in.skip(1);
        escaped(quote, value);
      } else {
        int character = in.peekCodePoint();
        in.skip(Character.charCount(character));
        append(value, character);
      }
    }
    in.skip(1);
    return decoded(value.toByteArray(), start);
  }

  private static void append(ByteArrayOutputStream value, int character) {
    value.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
  }

  /** Escapes may be of bytes, which are UTF-8 together. */
  private String decoded(byte[] value, int start) throws PromqlException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      throw in.unsupported(start, "text that is not UTF-8 is not answered: no label is like it");
    }
  }

  private void escaped(char quote, ByteArrayOutputStream value) throws PromqlException {
    int start = in.position() - 1;
    char c = in.peek(0);
    in.skip(1);
    switch (c) {
      case 'a' -> value.write('\007');
      case 'b' -> value.write('\b');
      case 'f' -> value.write('\f');
      case 'n' -> value.write('\n');
      case 'r' -> value.write('\r');
      case 't' -> value.write('\t');
      case 'v' -> value.write('\013');
      case '\\' -> value.write('\\');
      case 'x' -> value.write(coded(start, 2, 16, 0xff));
      case 'u' -> append(value, coded(start, 4, 16, 0xffff));
      case 'U' -> append(value, coded(start, 8, 16, Character.MAX_CODE_POINT));
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        in.skip(-1);
        value.write(coded(start, 3, 8, 0xff));
      }
      default -> {
        if (c != quote) {
          throw in.at(
              start, "unknown escape sequence \"\\" + (c == 0 ? "" : c) + "\"; write \\\\ for \\");
        }
        value.write(quote);
      }
    }
  }

  private int coded(int start, int digits, int radix, int most) throws PromqlException {
    long code = 0;
    for (int i = 0; i < digits; i++) {
      int digit = Character.digit(in.peek(0), radix);
      if (digit < 0) {
        throw in.at(start, "illegal character in an escape sequence");
      }
      code = code * radix + digit;
      in.skip(1);
    }
    if (code > most || (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE)) {
      throw in.at(start, "escape sequence is an invalid Unicode code point");
    }
    return (int) code;
  }

  /** A number that a word stands for; null for another word. */
  static @Nullable Double named(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> null;
    };
  }
}
