package io.hdrsidecar.internal.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

/** Lines of ASCII being put together, in an array that is kept and grows. One thread at a time. */
public final class TextBuffer {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int CRC_DIGITS = 8;
  private static final int FIRST_BYTES = 64 << 10;
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final CRC32C crc = new CRC32C();
  private final int keptBytes;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** A buffer that keeps whatever it has grown to. */
  public TextBuffer() {
    this(Integer.MAX_VALUE);
  }

  /**
   * A buffer that gives back what it has grown beyond, each time it is emptied.
   *
   * @param keptBytes at least 64 KiB
   */
  public TextBuffer(int keptBytes) {
    this.keptBytes = keptBytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
    if (bytes.length > keptBytes) {
      bytes = new byte[FIRST_BYTES];
    }
  }

  ByteBuffer contents() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      long spare = bytes.length < keptBytes ? bytes.length * 2L : bytes.length + bytes.length / 4L;
      bytes = Arrays.copyOf(bytes, (int) Math.max(Math.min(spare, LONGEST), size + more));
    }
  }

  TextBuffer put(char c) {
    reserve(1);
    bytes[size++] = (byte) c;
    return this;
  }

  TextBuffer put(byte[] ascii) {
    reserve(ascii.length);
    System.arraycopy(ascii, 0, bytes, size, ascii.length);
    size += ascii.length;
    return this;
  }

  TextBuffer put(String ascii) {
    return put(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Unsigned, without leading zeros, followed by a space. */
  TextBuffer hex(long value) {
    int digits = Math.max(1, (67 - Long.numberOfLeadingZeros(value)) / 4);
    hexDigits(value, digits);
    return put(' ');
  }

  /** 128 bits, followed by a space. */
  TextBuffer hex(long high, long low) {
    if (high != 0) {
      hex(high);
      size--;
      hexDigits(low, 16);
      return put(' ');
    }
    return hex(low);
  }

  private void hexDigits(long value, int digits) {
    reserve(digits);
    for (int i = digits - 1; i >= 0; i--) {
      bytes[size + i] = HEX[(int) (value >>> (4 * (digits - 1 - i))) & 0xf];
    }
    size += digits;
  }

  /** A number of thousandths, 0 or more, with three decimals. */
  TextBuffer thousandths(long value) {
    put(Long.toString(value / 1000)).put('.');
    long rest = value % 1000;
    return put((char) ('0' + rest / 100))
        .put((char) ('0' + rest / 10 % 10))
        .put((char) ('0' + rest % 10));
  }

  TextBuffer base64(ByteBuffer data) {
    return put(Base64.getEncoder().encode(data).array());
  }

  /** Ends a comment with its own CRC-32C. */
  void endComment(int lineStart) {
    crc.reset();
    crc.update(bytes, lineStart, size - lineStart);
    hexDigits(crc.getValue(), CRC_DIGITS);
    put('\n');
  }

  /** Leaves room for a CRC-32C that also covers the line to come. */
  void endCommentLater() {
    hexDigits(0, CRC_DIGITS);
    put('\n');
  }

  /** Fills the room: CRC-32C of the comment before it, and of all that follows that line. */
  void coverBoth(int commentStart, int nextLineStart) {
    int crcStart = nextLineStart - 1 - CRC_DIGITS;
    crc.reset();
    crc.update(bytes, commentStart, crcStart - commentStart);
    crc.update(bytes, nextLineStart, size - nextLineStart);
    int end = size;
    size = crcStart;
    hexDigits(crc.getValue(), CRC_DIGITS);
    size = end;
  }
}
