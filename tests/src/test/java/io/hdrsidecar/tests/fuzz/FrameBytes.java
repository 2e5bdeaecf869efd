package io.hdrsidecar.tests.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** A frame as PROTOCOL.md draws it, made and read without the product's encoder and decoder. */
final class FrameBytes {
  static final int HELLO = 1;
  static final int WELCOME = 2;
  static final int SERIES = 3;
  static final int INTERVAL = 4;
  static final int ACK = 5;
  static final int REJECT = 6;
  static final int GOODBYE = 7;
  static final int HEALTH = 8;
  private static final int HEADER_BYTES = 8;
  private static final int TRAILER_BYTES = 4;
  private static final int PAYLOAD_OFFSET = 72;

  private final int type;
  private final byte[] body;

  /**
   * A frame.
   *
   * @param type as in the table of types
   * @param body without header and trailer
   */
  FrameBytes(int type, byte[] body) {
    this.type = type;
    this.body = body;
  }

  int type() {
    return type;
  }

  byte[] body() {
    return body;
  }

  /** With header and trailer that belong to it. */
  byte[] sealed() {
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + body.length + TRAILER_BYTES);
    frame.putInt(body.length).put((byte) type).put((byte) 0);
    frame.putShort((short) crc(frame.array(), 0, 6)).put(body);
    return frame.putInt(crc(frame.array(), 0, HEADER_BYTES + body.length)).array();
  }

  /** The frames of a stream, up to the first that a reader must not trust, or that is cut. */
  static List<FrameBytes> readAll(byte[] stream, int maxBodyBytes) {
    List<FrameBytes> frames = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(stream);
    while (in.remaining() >= HEADER_BYTES + TRAILER_BYTES) {
      int start = in.position();
      int length = in.getInt(start);
      boolean headerIsGood =
          in.get(start + 5) == 0 && in.getShort(start + 6) == (short) crc(stream, start, 6);
      if (!headerIsGood
          || length < 0
          || length > maxBodyBytes
          || in.remaining() < HEADER_BYTES + TRAILER_BYTES + length) {
        break;
      }
      int end = start + HEADER_BYTES + length;
      if (in.getInt(end) != crc(stream, start, HEADER_BYTES + length)) {
        break;
      }
      frames.add(
          new FrameBytes(in.get(start + 4), Arrays.copyOfRange(stream, start + HEADER_BYTES, end)));
      in.position(end + TRAILER_BYTES);
    }
    return frames;
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** The int64 at this offset of the body; {@code otherwise} when the body is too short. */
  long number(int offset, long otherwise) {
    return body.length < offset + Long.BYTES ? otherwise : ByteBuffer.wrap(body).getLong(offset);
  }

  /** The histogram of an INTERVAL; empty when there is none whole. */
  byte[] payload() {
    if (body.length < PAYLOAD_OFFSET) {
      return new byte[0];
    }
    int length = ByteBuffer.wrap(body).getInt(PAYLOAD_OFFSET - Integer.BYTES);
    return length < 0 || length > body.length - PAYLOAD_OFFSET
        ? new byte[0]
        : Arrays.copyOfRange(body, PAYLOAD_OFFSET, PAYLOAD_OFFSET + length);
  }
}
