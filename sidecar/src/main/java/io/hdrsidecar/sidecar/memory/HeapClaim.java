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

  /** One that is never refused, for what no stranger can make large. */
  public static HeapClaim unbounded() {
    return new HeapShare(HeapBudget.Use.QUERIES, Long.MAX_VALUE).claim();
  }

  /** Another claim to the same share, of nothing yet, for another thread; it is closed there. */
  public HeapClaim another() {
    return share.claim();
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

  /**
   * Takes so many bytes more, or none, which is not counted as refused: the caller is the one to
   * say so, after it has waited.
   *
   * @throws HeapFullException when there is no room
   */
  public void grow(long more) {
    if (closed || !share.tryTakeUncounted(more)) {
      throw full(more);
    }
    bytes += more;
  }

  /** To be thrown by one who knows without asking that so many more are not to be had. */
  public HeapFullException full(long more) {
    return new HeapFullException(share.use(), bytes + more, share.maxBytes());
  }

  /** Takes or gives back what makes a part of it that had so many bytes have so many. */
  public void resize(long from, long to) {
    if (to > from) {
      grow(to - from);
    } else {
      shrink(from - to);
    }
  }

  /** How many bytes could be taken now, if nobody else took them. */
  public long roomBytes() {
    return share.freeBytes();
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
