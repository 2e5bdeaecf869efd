package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.interval.Leb128;
import java.util.Arrays;

/**
 * Where the lines of one series stand in a file, and when their intervals were: some 7 bytes for
 * each. Grows at its end. One thread at a time.
 *
 * <pre>
 * LEB128 numbers, 7 bits a byte, lowest first, the 8th bit set on all but the last; those that may
 * be negative in zigzag. For each line, from the one before (at first from 0):
 *   offset in the file - offset before
 *   length in the file - length before        (zigzag)
 *   number of the record - number before
 *   start of the interval - end before        (zigzag)
 *   length of the interval - length before    (zigzag)
 * </pre>
 */
final class LineList {
  private static final int MAX_LINE_BYTES = 5 * Leb128.MAX_BYTES;

  private byte[] bytes;
  private int size;
  private long offset;
  private long length;
  private long record;
  private long end;
  private long span;
  private long fromMillis = Long.MAX_VALUE;
  private long toMillis = Long.MIN_VALUE;

  /** An empty list. */
  LineList() {
    bytes = new byte[64];
  }

  /** A list that was written down; only to be read. */
  LineList(byte[] written) {
    bytes = written;
    size = written.length;
  }

  /** Appends a line behind those that are there, in the file and by its number. */
  void add(long atOffset, long bytesInFile, long recordNumber, long startMillis, long endMillis) {
    if (bytes.length - size < MAX_LINE_BYTES) {
      bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2 + MAX_LINE_BYTES);
    }
    put(atOffset - offset);
    putSigned(bytesInFile - length);
    put(recordNumber - record);
    putSigned(startMillis - end);
    putSigned(endMillis - startMillis - span);
    offset = atOffset;
    length = bytesInFile;
    record = recordNumber;
    end = endMillis;
    span = endMillis - startMillis;
    fromMillis = Math.min(fromMillis, startMillis);
    toMillis = Math.max(toMillis, endMillis);
  }

  private void putSigned(long number) {
    put(number << 1 ^ number >> 63);
  }

  private void put(long number) {
    size = Leb128.put(bytes, size, number);
  }

  /** Start of the first interval that was added, by time. */
  long fromMillis() {
    return fromMillis;
  }

  /** End of the last, by time. */
  long toMillis() {
    return toMillis;
  }

  /** Memory of it. */
  int capacity() {
    return bytes.length;
  }

  /** As it is written down. */
  byte[] written() {
    return Arrays.copyOf(bytes, size);
  }

  /** Goes through what was there when it was made. */
  Cursor cursor() {
    return new Cursor(bytes, size);
  }

  /** Goes from line to line. */
  static final class Cursor {
    private final byte[] bytes;
    private final int end;
    private int position;
    private long offset;
    private long length;
    private long record;
    private long endMillis;
    private long span;

    private Cursor(byte[] bytes, int end) {
      this.bytes = bytes;
      this.end = end;
    }

    /** Goes to the next line; false behind the last. */
    boolean next() {
      if (position >= end) {
        return false;
      }
      offset += number();
      length += signed();
      record += number();
      long start = endMillis + signed();
      span += signed();
      endMillis = start + span;
      return true;
    }

    private long signed() {
      long number = number();
      return number >>> 1 ^ -(number & 1);
    }

    /** Not {@link Leb128#get}: here the end of the number is found on the way. */
    private long number() {
      long number = 0;
      int shift = 0;
      byte b;
      do {
        b = bytes[position++];
        number |= (b & 0x7fL) << shift;
        shift += 7;
      } while (b < 0);
      return number;
    }

    long offset() {
      return offset;
    }

    int length() {
      return (int) length;
    }

    long record() {
      return record;
    }

    long startMillis() {
      return endMillis - span;
    }

    long endMillis() {
      return endMillis;
    }

    /** Whether the interval overlaps a range, as the history in memory sees it. */
    boolean overlaps(long fromMillis, long toMillis) {
      long start = startMillis();
      boolean begins = start < toMillis;
      return begins && (endMillis > fromMillis || (start == endMillis && start >= fromMillis));
    }
  }
}
