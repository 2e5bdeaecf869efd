package io.hdrsidecar.sidecar.receive;

import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

/** Frames that the encoder would not write, with the checks that belong to them. */
final class HandMadeFrames {
  private static final int HEADER_BYTES = 8;
  private static final int TRAILER_BYTES = 4;

  private HandMadeFrames() {}

  /** A frame whose bytes were changed, so that only its contents are wrong. */
  static byte[] changed(byte[] frame, UnaryOperator<ByteBuffer> change) {
    return withChecks(change.apply(ByteBuffer.wrap(frame)));
  }

  /** A frame of this type around these bytes. */
  static byte[] frame(int type, byte[] body) {
    return withChecks(
        ByteBuffer.allocate(HEADER_BYTES + body.length + TRAILER_BYTES)
            .putInt(0, body.length)
            .put(4, (byte) type)
            .put(HEADER_BYTES, body));
  }

  /** The header alone of a frame with a body so long. */
  static byte[] header(int bodyLength) {
    return bytes(withHeaderCheck(ByteBuffer.allocate(HEADER_BYTES).putInt(0, bodyLength)));
  }

  private static byte[] withChecks(ByteBuffer frame) {
    int end = frame.capacity() - TRAILER_BYTES;
    withHeaderCheck(frame);
    return bytes(frame.putInt(end, crc(frame, end)));
  }

  private static ByteBuffer withHeaderCheck(ByteBuffer frame) {
    return frame.putShort(6, (short) crc(frame, 6));
  }

  private static int crc(ByteBuffer frame, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes(frame), 0, length);
    return (int) crc.getValue();
  }

  private static byte[] bytes(ByteBuffer frame) {
    byte[] bytes = new byte[frame.capacity()];
    frame.get(0, bytes);
    return bytes;
  }
}
