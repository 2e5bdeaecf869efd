package io.hdrsidecar.fleet.route;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.vertx.core.buffer.Buffer;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The body of an answer as it came. Bytes are claimed before they are kept, and given back when
 * they were read. Any thread; it may be closed while more comes.
 */
final class Received extends InputStream {
  private final HeapClaim claim;
  private final Deque<byte[]> chunks = new ArrayDeque<>();
  private int position;
  private long length;
  private boolean isClosed;

  /** Nothing yet. The claim is closed with this. */
  Received(HeapClaim claim) {
    this.claim = claim;
  }

  /**
   * Keeps a copy.
   *
   * @return false when nobody will read it any more
   * @throws io.hdrsidecar.sidecar.memory.HeapFullException when there is no room for it
   */
  synchronized boolean keep(Buffer chunk) {
    if (isClosed) {
      return false;
    }
    claim.grow(HeapShare.arrayCost(chunk.length()));
    chunks.add(chunk.getBytes());
    length += chunk.length();
    return true;
  }

  /** How many bytes came. */
  synchronized long length() {
    return length;
  }

  /** Memory that it holds, in bytes. */
  synchronized long claimed() {
    return claim.bytes();
  }

  @Override
  public synchronized int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] into, int offset, int count) {
    if (count == 0) {
      return 0;
    }
    byte[] chunk = chunks.peek();
    if (chunk == null) {
      return -1;
    }
    int taken = Math.min(count, chunk.length - position);
    System.arraycopy(chunk, position, into, offset, taken);
    position += taken;
    if (position == chunk.length) {
      chunks.remove();
      position = 0;
      claim.shrink(HeapShare.arrayCost(chunk.length));
    }
    return taken;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    chunks.clear();
    claim.close();
  }
}
