package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.memory.HeapFullException;

/** What an evaluation has taken so far, and how it is to go on. One thread at a time. */
final class EvaluationEffort {
  /** So many sums may each have the memory that makes adding up faster, of all selectors. */
  static final int FAST_SUMS = 8;

  private long intervals;
  private int fastSums;
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

  /**
   * An evaluation that failed as memory was short is to begin again: so many had been read before.
   */
  void beginAgain(long readBefore) {
    intervals = readBefore;
  }

  /** Whether one sum more may have the memory that makes adding up faster; it has it then. */
  boolean takeFastSum() {
    if (isFrugal || fastSums == FAST_SUMS) {
      return false;
    }
    fastSums++;
    return true;
  }

  /** All sums were let go of. */
  void letGoOfSums() {
    fastSums = 0;
  }

  /**
   * An evaluation that failed as memory was short, and cannot be divided, is to take less: what
   * memory knows is taken from there, however coarse, and no sum is a fast one.
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
