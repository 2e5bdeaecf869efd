package io.hdrsidecar.internal.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Cuts a file into lines that end with LF, and knows where each begins and whether its end is
 * there. Memory is bounded by the longest line allowed; a longer one is cut into several, none of
 * which will make sense. One thread at a time.
 */
final class JournalLines {
  private static final int READ_BYTES = 256 << 10;
  private static final int CRC_DIGITS = 8;

  private final InputStream in;
  private final int maxLineBytes;
  private byte[] buffer = new byte[READ_BYTES];
  private int filled;
  private long bufferOffset;
  private int from;
  private int to;
  private int next;
  private boolean complete;
  private long number;

  JournalLines(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /** Goes to the next line; false at the end of the file. */
  boolean next() throws IOException {
    from = next;
    int searched = from;
    while (true) {
      for (int i = searched; i < filled; i++) {
        if (buffer[i] == '\n') {
          return found(i, i + 1, true);
        }
      }
      searched = filled - from;
      if (searched >= maxLineBytes) {
        return found(filled, filled, true);
      }
      if (!fill()) {
        return filled > from && found(filled, filled, false);
      }
    }
  }

  private boolean found(int end, int following, boolean hasEnd) {
    to = end;
    next = following;
    complete = hasEnd;
    number++;
    return true;
  }

  /** Reads more, keeping the line begun. */
  private boolean fill() throws IOException {
    System.arraycopy(buffer, from, buffer, 0, filled - from);
    bufferOffset += from;
    filled -= from;
    from = 0;
    if (buffer.length - filled < READ_BYTES / 2) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = in.read(buffer, filled, buffer.length - filled);
    filled += Math.max(read, 0);
    return read > 0;
  }

  /** Number of the line; the first is 1. */
  long number() {
    return number;
  }

  /** Where in the file the line begins. */
  long offset() {
    return bufferOffset + from;
  }

  /** Whether the line has its LF. */
  boolean isComplete() {
    return complete;
  }

  int length() {
    return to - from;
  }

  /** First byte, or 0 of an empty line. */
  byte first() {
    return to > from ? buffer[from] : 0;
  }

  byte[] bytes() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** The line, its bytes taken as Latin-1. */
  String text() {
    return new String(buffer, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** Adds what the CRC at the end of a comment covers of it. */
  void addComment(CRC32C crc) {
    crc.update(buffer, from, Math.max(0, to - from - CRC_DIGITS));
  }

  /** Adds the whole line and its LF. */
  void addLine(CRC32C crc) {
    crc.update(buffer, from, to - from);
    crc.update('\n');
  }
}
