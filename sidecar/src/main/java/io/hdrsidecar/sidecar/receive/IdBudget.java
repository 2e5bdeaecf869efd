package io.hdrsidecar.sidecar.receive;

/**
 * How many series ids all connections may hold together. The first ids of every connection are
 * outside it, so that one client that takes all the rest cannot shut others out. Merge context
 * only.
 */
final class IdBudget {
  /** So many series has an ordinary client: client-lib's own limit is 1000 unless raised. */
  static final int RESERVED_IDS = 1024;

  private final int maxIds;
  private int taken;

  IdBudget(int maxIds) {
    this.maxIds = maxIds;
  }

  /** Takes room for one more id on a connection that has so many; false if there is none. */
  boolean take(int idsOfConnection) {
    if (idsOfConnection < RESERVED_IDS) {
      return true;
    }
    if (taken >= maxIds) {
      return false;
    }
    taken++;
    return true;
  }

  /** Gives back what a connection with so many ids had taken for the last of them. */
  void give(int idsOfConnection) {
    if (idsOfConnection > RESERVED_IDS) {
      taken--;
    }
  }

  /** Gives back all that a connection with so many ids had taken. */
  void giveAll(int idsOfConnection) {
    taken -= Math.max(0, idsOfConnection - RESERVED_IDS);
  }

  /** Ids taken now. */
  int taken() {
    return taken;
  }
}
