package io.hdrsidecar.sidecar.index;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines whose places are known: each alone where they stand far apart, and many at once where
 * they stand close together. One thread at a time.
 */
final class LineWindow {
  /** Lines no further apart are read together: it takes longer to ask twice. */
  private static final int CLOSE_BYTES = 16 << 10;

  private static final int AHEAD_BYTES = 128 << 10;

  private ByteBuffer bytes = ByteBuffer.allocate(AHEAD_BYTES);
  private @Nullable FileChannel channel;
  private long from;

  /**
   * Reads a line.
   *
   * @return what {@link #array} has of it begins there; valid until the next call
   * @throws IOException when the file fails, or ends before the line does
   */
  int read(FileChannel file, long offset, int length) throws IOException {
    boolean isHere = file == channel && offset >= from && offset + length <= from + bytes.limit();
    if (!isHere) {
      boolean isClose =
          file == channel && offset >= from && offset - (from + bytes.limit()) < CLOSE_BYTES;
      fill(file, offset, length, isClose ? Math.max(length, AHEAD_BYTES) : length);
    }
    return (int) (offset - from);
  }

  private void fill(FileChannel file, long offset, int least, int most) throws IOException {
    channel = null;
    if (bytes.capacity() < most) {
      bytes = ByteBuffer.allocate(Math.max(most, 2 * bytes.capacity()));
    }
    bytes.clear().limit(most);
    while (bytes.position() < least) {
      if (file.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException("the file ends before it");
      }
    }
    bytes.flip();
    channel = file;
    from = offset;
  }

  byte[] array() {
    return bytes.array();
  }
}
