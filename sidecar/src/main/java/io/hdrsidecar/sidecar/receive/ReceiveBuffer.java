package io.hdrsidecar.sidecar.receive;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;

/**
 * Bytes of one connection that are not yet a whole frame, in one piece, as the decoder wants them.
 * It grows only for a frame whose header has been checked and for which there is room, to exactly
 * what that frame needs, and shrinks when the frame is done.
 */
final class ReceiveBuffer {
  /** Most frames are shorter, and there may be thousands of connections. */
  static final int USUAL_BYTES = 2 << 10;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Filled up to its position between two calls. */
  private ByteBuffer bytes = ByteBuffer.allocate(USUAL_BYTES);

  /** What is in a chunk from there on, as the decoder wants it. */
  static ByteBuffer view(Buffer chunk, int from) {
    return ((BufferInternal) chunk).getByteBuf().nioBuffer(from, chunk.length() - from);
  }

  /** Whether no part of a frame waits here. */
  boolean isEmpty() {
    return bytes.position() == 0;
  }

  /**
   * Copies as much as fits.
   *
   * @return how many bytes; at least 1 if there are any and the buffer is not full
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

  /** Keeps what was not read. */
  void keep() {
    bytes.compact();
  }

  /** Whether a frame of this length has to wait until the buffer has been {@link #resize}d. */
  boolean isTooSmallFor(int frameBytes) {
    return frameBytes > bytes.capacity();
  }

  /** Whether it may go back to its usual size: what it was enlarged for is done. */
  boolean isLargerThanNeeded(int frameBytes) {
    return bytes.capacity() > USUAL_BYTES
        && frameBytes <= USUAL_BYTES
        && bytes.position() < USUAL_BYTES;
  }

  /** Has room for so many bytes from now on, {@value #USUAL_BYTES} at least. */
  void resize(int frameBytes) {
    bytes = ByteBuffer.allocate(Math.max(USUAL_BYTES, frameBytes)).put(bytes.flip());
  }

  /** Keeps nothing and has room for nothing: it is not needed any more. */
  void resizeToNothing() {
    bytes = NOTHING;
  }
}
