package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.interval.Leb128;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.Snappy;
import java.io.OutputStream;

/**
 * Packs bytes into a block of Snappy: their number, and then pieces that refer back. Netty makes
 * the pieces. It keeps places in 16 bits and damages what is longer, so it gets one part after
 * another, which refers to nothing before it. One thread.
 */
final class SnappyBlock extends OutputStream {
  private static final int MOST_PART = Short.MAX_VALUE;

  private final Snappy snappy = Snappy.withHashTableReuse();
  private final ByteBuf part = Unpooled.buffer();
  private final ByteBuf packed;

  /**
   * An empty one.
   *
   * @param length how many bytes will be written to it
   */
  SnappyBlock(int length) {
    byte[] head = new byte[Leb128.MAX_BYTES];
    int size = Leb128.put(head, 0, length);
    packed = Unpooled.buffer(length / 4 + 64).writeBytes(head, 0, size);
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    for (int done = 0; done < length; ) {
      int size = Math.min(MOST_PART, length - done);
      part.clear();
      snappy.encode(Unpooled.wrappedBuffer(bytes, from + done, size), part, size);
      packed.writeBytes(part.skipBytes(Leb128.length(size))); // Of the block there is one number.
      done += size;
    }
  }

  /** The block, when all is written. */
  byte[] toByteArray() {
    return ByteBufUtil.getBytes(packed);
  }
}
