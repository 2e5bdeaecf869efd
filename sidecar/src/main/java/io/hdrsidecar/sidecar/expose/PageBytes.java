package io.hdrsidecar.sidecar.expose;

import io.vertx.core.buffer.Buffer;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a page in the making. What is being written collects in one array that is reused from
 * piece to piece; what is done goes into chunks of some 64 KiB, so that nothing is one large
 * object.
 *
 * <p>The writer {@link #commit commits} what is whole, or takes back what has failed half-way.
 */
final class PageBytes {
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int KEPT_BYTES = 4 * CHUNK_BYTES;

  private final Bytes open = new Bytes();
  private int committed;
  private long closedBytes;
  private List<Buffer> chunks = new ArrayList<>();

  /** Where to write. */
  Bytes bytes() {
    return open;
  }

  /** All written so far will stay. */
  void commit() {
    if (open.size() >= CHUNK_BYTES) {
      close();
    } else {
      committed = open.size();
    }
  }

  /** Takes back what was written since the last {@link #commit}. */
  void rollBack() {
    open.truncate(committed);
  }

  private void close() {
    if (open.size() > 0) {
      chunks.add(Buffer.buffer(open.size()).appendBytes(open.array(), 0, open.size()));
      closedBytes += open.size();
      open.reset(KEPT_BYTES);
    }
    committed = 0;
  }

  /** A place in front of what is written from now on; for {@link #insertLength}. */
  int mark() {
    close();
    return chunks.size();
  }

  /**
   * Puts the number of bytes from a place on, and of {@code header}, as a varint into that place,
   * and the header behind it.
   */
  void insertLength(int mark, byte[] header) {
    close();
    long length = header.length;
    for (Buffer chunk : chunks.subList(mark, chunks.size())) {
      length += chunk.length();
    }
    open.putVarint(length);
    open.put(header);
    close();
    chunks.add(mark, chunks.remove(chunks.size() - 1));
  }

  /** Whether it is as long as one piece of a page should be. */
  boolean isFull() {
    return closedBytes + open.size() >= CHUNK_BYTES;
  }

  /** Ends the page and begins another. */
  List<Buffer> take() {
    close();
    closedBytes = 0;
    List<Buffer> taken = chunks;
    chunks = new ArrayList<>(taken.size());
    return taken;
  }

  /** Forgets the page and begins another. */
  void clear() {
    open.reset(KEPT_BYTES);
    committed = 0;
    closedBytes = 0;
    chunks.clear();
  }

  /** For writers that know streams only; commits each write. */
  OutputStream asStream() {
    return new OutputStream() {
      @Override
      public void write(int b) {
        open.put((char) b);
        commit();
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        open.put(bytes, offset, offset + length);
        commit();
      }
    };
  }
}
