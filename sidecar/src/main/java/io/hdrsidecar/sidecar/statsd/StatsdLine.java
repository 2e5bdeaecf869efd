package io.hdrsidecar.sidecar.statsd;

import org.jspecify.annotations.Nullable;

/**
 * One line of DogStatsD's protocol, versions 1.0 to 1.6, taken apart in place:
 *
 * <pre>
 * name:value[:value...]|type[|@rate][|#tag:value,tag][|c:container][|e:external data][|card:...][|Ttime]
 * </pre>
 *
 * <p>Fields behind the type may stand in any order, and those that nobody here knows are skipped: a
 * later version of the protocol adds some, and a receiver that refused them would lose values. Made
 * to be filled again; after warm-up reading allocates nothing. One thread at a time.
 */
final class StatsdLine {
  /** A rate below would make a count of one value that no sampling means. */
  private static final double LEAST_RATE = 1e-9;

  private static final byte[] EVENT = {'_', 'e', '{'};
  private static final byte[] SERVICE_CHECK = {'_', 's', 'c', '|'};

  private final boolean takesPlain;
  private final DecimalNumber number = new DecimalNumber();

  /** Where the name ends; it begins where the line does. */
  int nameEnd;

  /** Where the first value begins, and the last ends; they are separated by colons. */
  int valuesStart;

  int valuesEnd;

  /** Where the tags are, without the hash; empty where there are none. */
  int tagsStart;

  int tagsEnd;

  /** Its type: {@code m} for {@code ms}, {@code h} for {@code h} and {@code d}; c, g. */
  char kind;

  /** How many values each of them stands for: 1 / sample rate; 1 or more. */
  double weight;

  /**
   * One not filled yet.
   *
   * @param takesPlain whether counters and gauges are wanted
   */
  StatsdLine(boolean takesPlain) {
    this.takesPlain = takesPlain;
  }

  /** Whether it is a counter or a gauge. */
  boolean isPlain() {
    return kind == 'c' || kind == 'g';
  }

  /**
   * Takes a line apart.
   *
   * @param from where it begins
   * @param to where it ends, without the line feed; behind {@code from}
   * @return null when its values are wanted; else why it gives none
   */
  @Nullable NotKept read(byte[] bytes, int from, int to) {
    int colon = indexOf(bytes, (byte) ':', from, to);
    if (bytes[from] == '_') {
      if (startsWith(bytes, from, to, EVENT)) {
        return NotKept.EVENT;
      } else if (startsWith(bytes, from, to, SERVICE_CHECK)) {
        return NotKept.SERVICE_CHECK;
      }
    }
    int bar = colon < 0 ? -1 : indexOf(bytes, (byte) '|', colon, to);
    if (bar < 0 || colon == from || bar == colon + 1) {
      return NotKept.BAD_LINE;
    }
    nameEnd = colon;
    valuesStart = colon + 1;
    valuesEnd = bar;
    int typeEnd = fieldEnd(bytes, bar + 1, to);
    NotKept other = readType(bytes, bar + 1, typeEnd);
    return other != null ? other : readFields(bytes, typeEnd, to);
  }

  private @Nullable NotKept readType(byte[] bytes, int from, int to) {
    if (to - from == 2 && bytes[from] == 'm' && bytes[from + 1] == 's') {
      kind = 'm';
      return null;
    }
    if (to - from != 1) {
      return NotKept.BAD_TYPE;
    }
    kind = bytes[from] == 'd' ? 'h' : (char) bytes[from];
    return switch (kind) {
      case 'h' -> null;
      case 'c' -> takesPlain ? null : NotKept.COUNTER;
      case 'g' -> takesPlain ? null : NotKept.GAUGE;
      case 's' -> NotKept.SET;
      default -> NotKept.BAD_TYPE;
    };
  }

  private @Nullable NotKept readFields(byte[] bytes, int typeEnd, int to) {
    weight = 1;
    tagsStart = 0;
    tagsEnd = 0;
    int end = typeEnd;
    while (end < to) {
      int start = end + 1;
      end = fieldEnd(bytes, start, to);
      if (start < end && bytes[start] == '#') {
        tagsStart = start + 1;
        tagsEnd = end;
      } else if (start < end && bytes[start] == '@') {
        if (!number.read(bytes, start + 1, end) || !isRate(number)) {
          return NotKept.BAD_RATE;
        }
        weight = 1 / number.toDouble();
      }
    }
    return null;
  }

  private static boolean isRate(DecimalNumber number) {
    double rate = number.toDouble();
    return !number.isNegative() && rate >= LEAST_RATE && rate <= 1;
  }

  private static int fieldEnd(byte[] bytes, int from, int to) {
    int bar = indexOf(bytes, (byte) '|', from, to);
    return bar < 0 ? to : bar;
  }

  /** Where a byte is first, from {@code from} up to, not with, {@code to}; -1 for nowhere. */
  static int indexOf(byte[] bytes, byte wanted, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private static boolean startsWith(byte[] bytes, int from, int to, byte[] start) {
    if (to - from < start.length) {
      return false;
    }
    for (int i = 0; i < start.length; i++) {
      if (bytes[from + i] != start[i]) {
        return false;
      }
    }
    return true;
  }
}
