package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.Leb128;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A byte array that grows, and the spellings of both worlds: digits and doubles as text, varints
 * and fixed numbers of protobuf. Made to be reused; one thread at a time.
 */
final class Bytes {
  private static final int FIRST_CAPACITY = 1024;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  /** Forgets all behind this size; memory stays. */
  void truncate(int newSize) {
    size = newSize;
  }

  /** Gives memory back, if an unusual amount of it is held, and forgets everything. */
  void reset(int keptCapacity) {
    size = 0;
    if (bytes.length > keptCapacity) {
      bytes = new byte[FIRST_CAPACITY];
    }
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** The array itself, of which the first {@link #size} bytes count; valid until the next put. */
  byte[] array() {
    return bytes;
  }

  private void ensure(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
    }
  }

  void put(char ascii) {
    ensure(1);
    bytes[size++] = (byte) ascii;
  }

  void put(byte[] from) {
    put(from, 0, from.length);
  }

  void put(byte[] from, int start, int end) {
    int length = end - start;
    ensure(length);
    System.arraycopy(from, start, bytes, size, length);
    size += length;
  }

  void put(Bytes other) {
    put(other.bytes, 0, other.size);
  }

  /** Puts a text without characters beyond ASCII. */
  void putAscii(String text) {
    int length = text.length();
    ensure(length);
    for (int i = 0; i < length; i++) {
      bytes[size + i] = (byte) text.charAt(i);
    }
    size += length;
  }

  void putUtf8(String text) {
    put(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A count in decimal digits. */
  void putDecimal(long number) {
    if (number < 0) {
      putAscii(Long.toString(number));
      return;
    }
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    ensure(digits);
    long rest = number;
    for (int at = size + digits - 1; at >= size; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
  }

  /** A value as both text formats spell it. */
  void putDouble(double value) {
    if (value == Double.POSITIVE_INFINITY) {
      putAscii("+Inf");
    } else if (value == Double.NEGATIVE_INFINITY) {
      putAscii("-Inf");
    } else {
      putAscii(Double.toString(value));
    }
  }

  /** Milliseconds since the epoch, 0 or more, as seconds with three decimals. */
  void putSeconds(long millis) {
    putDecimal(millis / 1000);
    put('.');
    long fraction = millis % 1000;
    put((char) ('0' + fraction / 100));
    put((char) ('0' + fraction / 10 % 10));
    put((char) ('0' + fraction % 10));
  }

  /** Protobuf: seven bits a byte, lowest first; negative numbers take ten bytes. */
  void putVarint(long number) {
    ensure(Leb128.MAX_BYTES);
    size = Leb128.put(bytes, size, number);
  }

  /** Protobuf {@code sint32} and {@code sint64}. */
  void putZigZag(long number) {
    putVarint(number << 1 ^ number >> 63);
  }

  /** Protobuf {@code double}. */
  void putFixed(double value) {
    ensure(Long.BYTES);
    long bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[size++] = (byte) (bits >>> (8 * i));
    }
  }
}
