package io.hdrsidecar.sidecar.receive;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/**
 * Bytes of one connection that are not yet a whole frame, in one piece, as the decoder wants them.
 * It grows only for a frame whose header has been checked, to exactly what that frame needs, and
 * shrinks when the frame is done.
 */
final class ReceiveBuffer {
  private static final int USUAL_BYTES = 16 << 10;

  /** Filled up to its position between two calls. */
  private ByteBuffer bytes = ByteBuffer.allocate(USUAL_BYTES);

  /**
   * Copies as much as fits.
   *
   * @return how many bytes; at least 1 if there are any
   */
  int fill(Buffer chunk, int from) {
    int count = Math.min(bytes.remaining(), chunk.length() - from);
    chunk.getBytes(from, from + count, bytes.array(), bytes.position());
    bytes.position(bytes.position() + count);
    return count;
  }

  /** All bytes not yet read; {@link #keep} must follow. */
  ByteBuffer unread() {
    return bytes.flip();
  }

  /**
   * Keeps what was not read.
   *
   * @param frameBytes how many bytes the frame at the front needs; 0 if its header is incomplete
   */
  void keep(int frameBytes) {
    if (frameBytes > bytes.capacity()) {
      bytes = ByteBuffer.allocate(frameBytes).put(bytes);
    } else if (bytes.capacity() > USUAL_BYTES
        && frameBytes <= USUAL_BYTES
        && bytes.remaining() < USUAL_BYTES) {
      bytes = ByteBuffer.allocate(USUAL_BYTES).put(bytes);
    } else {
      bytes.compact();
    }
  }

  /** Memory held, in bytes. */
  int capacity() {
    return bytes.capacity();
  }
}
