package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.memory.HeapShare;

/**
 * How many series ids all connections may hold together. Each takes its bytes of the heap. Beyond
 * the first ids of a connection it is also one of a number, of half the bytes at most, so that one
 * client that takes all it can get does not shut others out. Merge context only.
 */
final class IdBudget {
  /** So many series has an ordinary client: client-lib's own limit is 1000 unless raised. */
  static final int RESERVED_IDS = 1024;

  /** Slots of a table less than half full, and its old self while it grows. */
  private static final long SLOT_BYTES = 48;

  /** What an id keeps of a series that ended and is forgotten: the registration and its layout. */
  private static final long FORGOTTEN_BYTES = 104;

  static final long ID_BYTES = SLOT_BYTES + FORGOTTEN_BYTES;

  private final HeapShare share;
  private final long maxBeyond;
  private int beyond;

  /**
   * No ids yet.
   *
   * @param maxBeyond most ids beyond the first {@value #RESERVED_IDS} of each connection
   */
  IdBudget(HeapShare share, int maxBeyond) {
    this.share = share;
    this.maxBeyond = Math.min(maxBeyond, share.maxBytes() / 2 / ID_BYTES);
  }

  /** Takes room for one more id on a connection that has so many; false if there is none. */
  boolean take(int idsOfConnection) {
    boolean isBeyond = idsOfConnection >= RESERVED_IDS;
    if ((isBeyond && beyond >= maxBeyond) || !share.tryTake(ID_BYTES)) {
      return false;
    }
    beyond += isBeyond ? 1 : 0;
    return true;
  }

  /** Gives back what a connection with so many ids had taken for the last of them. */
  void give(int idsOfConnection) {
    share.release(ID_BYTES);
    beyond -= idsOfConnection > RESERVED_IDS ? 1 : 0;
  }

  /** Gives back all that a connection with so many ids had taken. */
  void giveAll(int idsOfConnection) {
    share.release(idsOfConnection * ID_BYTES);
    beyond -= Math.max(0, idsOfConnection - RESERVED_IDS);
  }

  /** Most ids beyond the first of each connection. */
  long maxBeyond() {
    return maxBeyond;
  }

  /** Ids beyond the first of each connection, taken now. */
  int beyond() {
    return beyond;
  }
}
