package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.memory.HeapFullException;

/** What an evaluation has taken so far, and how it is to go on. One thread at a time. */
final class Effort {
  private long intervals;
  private boolean isFrugal;

  /** How many intervals were read, these among them. */
  long read(long more) {
    intervals += more;
    return intervals;
  }

  /** How many intervals were read. */
  long intervals() {
    return intervals;
  }

  /** What has failed for want of memory is to begin again: so many had been read before. */
  void beginAgain(long readBefore) {
    intervals = readBefore;
  }

  /**
   * What has failed for want of memory, and cannot be divided, is to take less: what memory knows
   * is taken from there, however coarse.
   *
   * @return whether that was not so before, and waiting would not do
   */
  boolean becomeFrugal(HeapFullException failed) {
    if (isFrugal || !failed.isForMost()) {
      return false;
    }
    isFrugal = true;
    return true;
  }

  /** Whether it takes as little memory as it can. */
  boolean isFrugal() {
    return isFrugal;
  }
}
