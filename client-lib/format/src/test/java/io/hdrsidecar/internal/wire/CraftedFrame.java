package io.hdrsidecar.internal.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** A frame with a valid header and trailer around any type and body. */
final class CraftedFrame {
  private CraftedFrame() {}

  static byte[] of(int type, byte[] body) {
    ByteBuffer frame = ByteBuffer.allocate(8 + body.length + 4);
    frame.putInt(body.length).put((byte) type).put((byte) 0);
    frame.putShort((short) crc(frame, 6)).put(body);
    return frame.putInt(crc(frame, 8 + body.length)).array();
  }

  private static int crc(ByteBuffer frame, int length) {
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate().flip().limit(length));
    return (int) crc.getValue();
  }
}
