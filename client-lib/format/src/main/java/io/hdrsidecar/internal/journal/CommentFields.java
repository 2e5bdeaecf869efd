package io.hdrsidecar.internal.journal;

/**
 * The hexadecimal fields of a comment, one after the other, straight from its bytes: there is one
 * such comment for each record. A flyweight.
 */
final class CommentFields {
  private static final int LONG_DIGITS = 16;

  private byte[] bytes = {};
  private int position;
  private int to;
  private long overflow;

  /** Starts behind {@code #R }, ends before the checksum. */
  void start(byte[] line, int from, int end) {
    bytes = line;
    position = from;
    to = end;
  }

  /** Skips this character if it comes next. */
  boolean skip(char c) {
    boolean isNext = position < to && bytes[position] == c;
    position += isNext ? 1 : 0;
    return isNext;
  }

  /** Whether there is another field. */
  boolean hasMore() {
    return position < to;
  }

  /**
   * The next field, up to a space; of one with more than 16 digits the lower 64 bits.
   *
   * @throws IllegalArgumentException when it is empty, has more than 32 digits, or others
   */
  long hex() {
    long high = 0;
    long low = 0;
    int start = position;
    for (; position < to && bytes[position] != ' '; position++) {
      int digit = Character.digit(bytes[position], 16);
      if (digit < 0 || position - start == 2 * LONG_DIGITS) {
        throw new IllegalArgumentException("comment has a field that is no number");
      }
      high = high << 4 | low >>> 60;
      low = low << 4 | digit;
    }
    if (position == start) {
      throw new IllegalArgumentException("comment has too few fields");
    }
    position++;
    overflow = high;
    return low;
  }

  /** The upper 64 bits of the field read last. */
  long overflow() {
    return overflow;
  }
}
