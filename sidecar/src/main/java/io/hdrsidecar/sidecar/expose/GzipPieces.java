package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses the pieces of a page so that any piece can follow any other: none refers to bytes
 * before it, and each ends at a whole byte, so all together are one gzip stream. Level 1: the
 * scraper is on the same machine or near, and the page waits for the compression. One thread at a
 * time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
 */
final class GzipPieces {
  private static final byte[] HEAD = {31, (byte) 139, 8, 0, 0, 0, 0, 0, 4, (byte) 255};

  /** A last block of deflate, with nothing in it. */
  private static final byte[] END = {3, 0};

  private static final int BUFFER_BYTES = 16 * 1024;

  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final byte[] out = new byte[BUFFER_BYTES];

  /** The sum of a piece. */
  static GzipSum sumOf(List<Buffer> piece) {
    CRC32 crc = new CRC32();
    long length = 0;
    for (Buffer buffer : piece) {
      crc.update(bytesOf(buffer));
      length += buffer.length();
    }
    return new GzipSum((int) crc.getValue(), length);
  }

  /** The bytes themselves: copying each page twice was half of the garbage of a scrape. */
  private static ByteBuffer bytesOf(Buffer buffer) {
    return ((BufferInternal) buffer).getByteBuf().nioBuffer();
  }

  /**
   * Compresses a piece.
   *
   * @param first whether nothing comes before it
   * @param whole the sum up to its end if nothing comes behind it
   */
  List<Buffer> compressed(List<Buffer> piece, boolean first, GzipSum whole, boolean last) {
    Buffer packed = Buffer.buffer(BUFFER_BYTES);
    if (first) {
      packed.appendBytes(HEAD);
    }
    deflater.reset();
    for (Buffer buffer : piece) {
      deflater.setInput(bytesOf(buffer));
      while (!deflater.needsInput()) {
        packed.appendBytes(out, 0, deflater.deflate(out));
      }
    }
    int length;
    do {
      length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
      packed.appendBytes(out, 0, length);
    } while (length == out.length);
    if (last) {
      packed.appendBytes(END).appendIntLE(whole.crc()).appendIntLE((int) whole.length());
    }
    List<Buffer> pieces = new ArrayList<>(1);
    pieces.add(packed);
    return pieces;
  }
}
