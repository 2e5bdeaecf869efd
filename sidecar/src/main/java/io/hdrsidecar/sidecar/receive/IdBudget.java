package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.memory.HeapShare;

/**
 * How many series ids all connections may hold together. Each takes its bytes of the heap. Beyond
 * the first ids of a connection it is also one of a number, and gets none of the second half of the
 * bytes, so that one client that takes all it can get does not shut others out. Merge context only.
 */
final class IdBudget {
  /** So many series has an ordinary client: client-lib's own limit is 1000 unless raised. */
  static final int RESERVED_IDS = 1024;

  private final HeapShare share;
  private final int maxBeyond;
  private final long maxBytesBeyond;
  private int beyond;

  /**
   * No ids yet.
   *
   * @param maxBeyond most ids beyond the first {@value #RESERVED_IDS} of each connection
   */
  IdBudget(HeapShare share, int maxBeyond) {
    this.share = share;
    this.maxBeyond = maxBeyond;
    this.maxBytesBeyond = share.maxBytes() / 2;
  }

  /** Takes room for one more id on a connection that has so many; false if there is none. */
  boolean take(int idsOfConnection, long bytes) {
    boolean isBeyond = idsOfConnection >= RESERVED_IDS;
    if ((isBeyond && isFullBeyond(bytes)) || !share.tryTake(bytes)) {
      return false;
    }
    beyond += isBeyond ? 1 : 0;
    return true;
  }

  /** Of the second half of the bytes only the first ids of a connection may have any. */
  private boolean isFullBeyond(long bytes) {
    return beyond >= maxBeyond || share.heldBytes() + bytes > maxBytesBeyond;
  }

  /** Takes more for an id that is there; false if there is no room. */
  boolean takeMore(long bytes) {
    return share.tryTake(bytes);
  }

  /** Gives back a part of what an id had taken. */
  void giveSome(long bytes) {
    share.release(bytes);
  }

  /** Gives back what a connection with so many ids had taken for the last of them. */
  void give(int idsOfConnection, long bytes) {
    share.release(bytes);
    beyond -= idsOfConnection > RESERVED_IDS ? 1 : 0;
  }

  /** Gives back all that a connection with so many ids had taken. */
  void giveAll(int idsOfConnection, long bytes) {
    share.release(bytes);
    beyond -= Math.max(0, idsOfConnection - RESERVED_IDS);
  }

  /** Ids beyond the first of each connection, taken now. */
  int beyond() {
    return beyond;
  }
}
