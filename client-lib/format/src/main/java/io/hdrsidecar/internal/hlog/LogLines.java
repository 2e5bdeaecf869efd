package io.hdrsidecar.internal.hlog;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a stream into lines that end with LF, CR, both, or the stream. Memory is bounded. */
final class LogLines {
  private static final int READ_BYTES = 64 * 1024;

  private final InputStream in;
  private final int maxLineBytes;
  private byte[] buffer = new byte[READ_BYTES];
  private int position;
  private int filled;
  private long bytesBefore;
  private boolean ended;
  private boolean afterCarriageReturn;
  private int from;
  private int to;
  private long number;
  private boolean tooLong;
  private long lost;

  LogLines(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
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

  /** How many bytes of the stream came before the first of {@link #bytes}. */
  long bytesBefore() {
    return bytesBefore;
  }

  /** Number of the current line; the first is 1. */
  long number() {
    return number;
  }

  /** How many bytes the current line has; of one that passes the limit they are lost. */
  long length() {
    return lost + (to - from);
  }

  /** Goes to the next line; false at the end. */
  boolean next() throws IOException {
    from = position;
    tooLong = false;
    lost = 0;
    while (true) {
      if (position == filled && !fill()) {
        to = position;
        boolean hasLastLine = to > from || tooLong;
        number += hasLastLine ? 1 : 0;
        return hasLastLine;
      }
      position = endOfLine(buffer, position, filled);
      if (position == filled) {
        afterCarriageReturn &= position == from;
      } else if (buffer[position] == '\n' && afterCarriageReturn && position == from) {
        afterCarriageReturn = false;
        from = ++position;
      } else {
        to = position++;
        afterCarriageReturn = buffer[to] == '\r';
        number++;
        return true;
      }
    }
  }

  /** The place of the next LF or CR, or {@code end}; apart, as this loop sees every byte. */
  private static int endOfLine(byte[] bytes, int start, int end) {
    int i = start;
    while (i < end && bytes[i] != '\n' && bytes[i] != '\r') {
      i++;
    }
    return i;
  }

  /** Reads more, keeping the line begun unless it is too long. */
  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    tooLong |= filled - from > maxLineBytes;
    int kept = tooLong ? 0 : filled - from;
    lost += tooLong ? filled - from : 0;
    System.arraycopy(buffer, filled - kept, buffer, 0, kept);
    bytesBefore += filled - kept;
    if (buffer.length - kept < READ_BYTES) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    from = 0;
    position = kept;
    int read = in.read(buffer, kept, buffer.length - kept);
    ended = read < 0;
    filled = kept + Math.max(read, 0);
    return !ended;
  }
}
