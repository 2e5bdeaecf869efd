package io.hdrsidecar.sidecar.otlp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads one message in protobuf's wire format, field by field, from a part of an array; nothing is
 * copied but texts. After {@link #next} exactly one of the methods that take the value, or {@link
 * #skip}, is to be called. One thread at a time.
 *
 * <p>A field is a varint {@code number << 3 | type} and a value: type 0 a varint, 1 eight bytes, 2
 * a varint of a length and so many bytes, 5 four bytes; the lowest byte first. Source: protobuf's
 * "Encoding" and {@code opentelemetry/proto/metrics/v1/metrics.proto}.
 */
public final class WireReader {
  public static final int VARINT = 0;
  public static final int FIXED64 = 1;
  public static final int BYTES = 2;

  static final int FIXED32 = 5;

  private static final int MOST_VARINT_BYTES = 10;

  private final byte[] bytes;
  private final int from;
  private final int end;
  private int at;
  private int field;
  private int type;

  /** Of all the bytes. */
  public WireReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Of those from one place up to another. */
  WireReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.from = from;
    this.end = end;
    this.at = from;
  }

  /** Another reader of the same message, from its beginning. */
  WireReader again() {
    return new WireReader(bytes, from, end);
  }

  /** Goes on to the next field; false at the end. */
  public boolean next() throws MalformedOtlpException {
    if (at == end) {
      return false;
    }
    long tag = rawVarint();
    field = (int) (tag >>> 3);
    type = (int) tag & 7;
    if (field == 0 || tag >>> 32 != 0) {
      throw new MalformedOtlpException("a field has the number " + (tag >>> 3) + at());
    }
    return true;
  }

  /** Number of the field at hand. */
  int field() {
    return field;
  }

  /** Whether the field at hand has this number, and is encoded so. */
  public boolean is(int number, int wireType) {
    return field == number && type == wireType;
  }

  /** How the field at hand is encoded. */
  int type() {
    return type;
  }

  /** Whether bytes are left. */
  boolean hasMore() {
    return at < end;
  }

  /** A number of up to 64 bits. */
  public long rawVarint() throws MalformedOtlpException {
    long value = 0;
    for (int i = 0; i < MOST_VARINT_BYTES; i++) {
      if (at == end) {
        throw new MalformedOtlpException("a number ends with its message" + at());
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << (7 * i);
      if (b >= 0) {
        return value;
      }
    }
    throw new MalformedOtlpException("a number has more than 10 bytes" + at());
  }

  /** A signed number in zigzag. */
  int sint32() throws MalformedOtlpException {
    int coded = (int) rawVarint();
    return (coded >>> 1) ^ -(coded & 1);
  }

  /** Eight bytes. */
  long fixed64() throws MalformedOtlpException {
    need(8);
    long value = 0;
    for (int i = 7; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    at += 8;
    return value;
  }

  /** Eight bytes as a floating-point number. */
  double float64() throws MalformedOtlpException {
    return Double.longBitsToDouble(fixed64());
  }

  /** A message, a text or a row of numbers; this one goes on behind it. */
  public WireReader message() throws MalformedOtlpException {
    int start = length();
    return new WireReader(bytes, start, at);
  }

  /** A text, with a replacement character for what is not UTF-8. */
  public String text() throws MalformedOtlpException {
    int start = length();
    return new String(bytes, start, at - start, StandardCharsets.UTF_8);
  }

  /** A copy of bytes. */
  byte[] copy() throws MalformedOtlpException {
    int start = length();
    return Arrays.copyOfRange(bytes, start, at);
  }

  /** The array that is read. */
  byte[] array() {
    return bytes;
  }

  /** Where in it this message begins. */
  int from() {
    return from;
  }

  /** Where it ends. */
  int end() {
    return end;
  }

  /** Goes behind so many bytes that a length says, and gives where they begin. */
  private int length() throws MalformedOtlpException {
    long length = rawVarint();
    if (length < 0 || length > end - at) {
      throw new MalformedOtlpException(
          "a field of " + Long.toUnsignedString(length) + " bytes has " + (end - at) + at());
    }
    int start = at;
    at += (int) length;
    return start;
  }

  private void need(int count) throws MalformedOtlpException {
    if (end - at < count) {
      throw new MalformedOtlpException("a number ends with its message" + at());
    }
  }

  /** Leaves the value out. */
  public void skip() throws MalformedOtlpException {
    switch (type) {
      case VARINT -> rawVarint();
      case FIXED64 -> {
        need(8);
        at += 8;
      }
      case BYTES -> length();
      case FIXED32 -> {
        need(4);
        at += 4;
      }
      default -> throw new MalformedOtlpException("a field has the wire type " + type + at());
    }
  }

  private String at() {
    return ", at byte " + at;
  }
}
