package io.hdrsidecar.internal.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What stands around every body, big endian:
 *
 * <pre>
 * 0    uint32  length of the body, N
 * 4    uint8   type
 * 5    uint8   0
 * 6    uint16  lower 16 bits of the CRC-32C of bytes 0..5
 * 8    N bytes body
 * 8+N  uint32  CRC-32C of bytes 0..8+N-1
 * </pre>
 *
 * <p>The header has a check of its own so that a damaged length is found at once, before a reader
 * waits for, or allocates, bytes that will not come.
 */
final class FrameHeader {
  static final int BYTES = 8;
  static final int TRAILER_BYTES = 4;
  private static final int CHECKED_BYTES = 6;

  private FrameHeader() {}

  static int check(CRC32C crc, ByteBuffer frame, int offset) {
    return crcOf(crc, frame, offset, CHECKED_BYTES) & 0xffff;
  }

  static int crcOf(CRC32C crc, ByteBuffer buffer, int offset, int length) {
    crc.reset();
    crc.update(buffer.array(), buffer.arrayOffset() + offset, length);
    return (int) crc.getValue();
  }
}
