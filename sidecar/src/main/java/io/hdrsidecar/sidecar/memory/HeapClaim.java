package io.hdrsidecar.sidecar.memory;

/**
 * What one owner, such as a request, has taken of a {@link HeapShare} so far. It grows in steps and
 * is given back in one, however often that is said. One thread at a time.
 */
public final class HeapClaim implements AutoCloseable {
  private final HeapShare share;
  private long bytes;
  private boolean closed;

  HeapClaim(HeapShare share) {
    this.share = share;
  }

  /**
   * Takes so many bytes more, or none.
   *
   * @return whether they were taken; false after {@link #close}
   */
  public boolean tryGrow(long more) {
    if (closed || !share.tryTake(more)) {
      return false;
    }
    bytes += more;
    return true;
  }

  /** Gives a part of it back, before the rest. */
  public void shrink(long less) {
    if (less > bytes) {
      throw new IllegalArgumentException("must be at most " + bytes + ": " + less);
    }
    bytes -= less;
    share.release(less);
  }

  /** Bytes taken now. */
  public long bytes() {
    return bytes;
  }

  /** Gives all of it back; idempotent. */
  @Override
  public void close() {
    closed = true;
    long all = bytes;
    bytes = 0;
    share.release(all);
  }
}
