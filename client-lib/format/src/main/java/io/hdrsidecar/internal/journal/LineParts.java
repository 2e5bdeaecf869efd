package io.hdrsidecar.internal.journal;

import java.util.Arrays;

/**
 * A line that other readers must not take for an interval, cut into comments: {@code #B left text},
 * where left says how many are still to come. Put together again here. One thread.
 */
final class LineParts {
  /** With what stands before it, a comment stays below the 128 bytes of some readers. */
  private static final int CHUNK = 100;

  private final CommentFields fields = new CommentFields();
  private byte[] bytes = {};
  private int length;

  /** Appends a line, which lies there, as comments. */
  static void put(TextBuffer line, TextBuffer out) {
    byte[] from = line.contents().array();
    int left = (line.size() + CHUNK - 1) / CHUNK;
    for (int at = 0; at < line.size(); at += CHUNK) {
      out.put("#B ").hex(--left);
      out.put(Arrays.copyOfRange(from, at, Math.min(at + CHUNK, line.size()))).put('\n');
    }
  }

  /** Whether such a comment begins there. */
  static boolean isOne(byte[] text, int from, int to) {
    return to - from > 3 && text[from] == '#' && text[from + 1] == 'B' && text[from + 2] == ' ';
  }

  /** Forgets what was put together. */
  void clear() {
    length = 0;
  }

  /**
   * Takes the next comment.
   *
   * @param mostBytes of all together
   * @return whether it is the last
   * @throws IllegalArgumentException when it is none, or too long
   */
  boolean add(byte[] text, int from, int to, int mostBytes) {
    if (!isOne(text, from, to)) {
      throw new IllegalArgumentException("a part of the record is missing");
    }
    int start = from + 3;
    while (start < to && text[start] != ' ') {
      start++;
    }
    fields.start(text, from + 3, start);
    long left = fields.hex();
    int more = Math.max(0, to - start - 1);
    if (length + more > mostBytes) {
      throw new IllegalArgumentException("record is longer than " + mostBytes + " bytes");
    }
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
    System.arraycopy(text, start + 1, bytes, length, more);
    length += more;
    return left == 0;
  }

  /** The line, from 0 up to {@link #length}. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
