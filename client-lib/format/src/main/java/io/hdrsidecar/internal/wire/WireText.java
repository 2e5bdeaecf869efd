package io.hdrsidecar.internal.wire;

import io.hdrsidecar.series.Labels;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Texts and labels as bytes, in frames and wherever else they are kept as frames have them. Big
 * endian:
 *
 * <pre>
 * string   0  uint16  length in bytes, L
 *          2          L bytes of UTF-8
 * labels   0  uint16  number of labels, at most 32
 *          2          for each: its name (string), its value (string), in the order of names
 * </pre>
 */
public final class WireText {
  private static final int MAX_STRING_BYTES = 0xffff;

  private WireText() {}

  /** The UTF-8 of a text; throws IllegalArgumentException when it has more than 65,535 bytes. */
  static byte[] utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_STRING_BYTES) {
      throw new IllegalArgumentException(
          "text must have at most " + MAX_STRING_BYTES + " bytes: " + bytes.length);
    }
    return bytes;
  }

  /** Appends a string; throws IllegalArgumentException when it has more than 65,535 bytes. */
  public static void write(String text, ByteArrayOutputStream out) {
    byte[] bytes = utf8(text);
    writeShort(bytes.length, out);
    out.writeBytes(bytes);
  }

  /** Appends labels. */
  public static void write(Labels labels, ByteArrayOutputStream out) {
    writeShort(labels.size(), out);
    labels.forEach(
        (name, value) -> {
          write(name, out);
          write(value, out);
        });
  }

  private static void writeShort(int value, ByteArrayOutputStream out) {
    out.write(value >>> 8);
    out.write(value);
  }

  /**
   * Reads labels from the position on, and moves it behind them.
   *
   * @throws MalformedFrameException when they are not labels that a series may have
   * @throws java.nio.BufferUnderflowException when there is not even a length
   */
  public static Labels labels(ByteBuffer in) throws MalformedFrameException {
    int size = in.getShort() & 0xffff;
    if (size > Labels.MAX_LABELS) {
      throw new MalformedFrameException(
          RejectReason.BAD_SERIES,
          "at most " + Labels.MAX_LABELS + " labels, but there are " + size);
    }
    String[] namesAndValues = new String[size * 2];
    for (int i = 0; i < namesAndValues.length; i++) {
      namesAndValues[i] = string(in);
    }
    try {
      return Labels.of(namesAndValues);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException(RejectReason.BAD_SERIES, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads a string from the position on, and moves it behind it.
   *
   * @throws MalformedFrameException when it is longer than what is there, or not UTF-8
   * @throws java.nio.BufferUnderflowException when there is not even a length
   */
  public static String string(ByteBuffer in) throws MalformedFrameException {
    int length = in.getShort() & 0xffff;
    if (length > in.remaining()) {
      throw new MalformedFrameException(
          RejectReason.BAD_FRAME,
          "string of " + length + " bytes in a body with " + in.remaining() + " left");
    }
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException(RejectReason.BAD_FRAME, "string is not UTF-8");
    }
  }
}
