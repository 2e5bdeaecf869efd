package io.hdrsidecar.sidecar.log;

/**
 * When something was written into the journal.
 *
 * @param wallMillis milliseconds since the epoch, by a clock that may have been set
 * @param uptimeMillis for how many milliseconds the machine had been running
 * @param boot which start of the machine that counts from; empty when unknown
 */
record WrittenTime(long wallMillis, long uptimeMillis, String boot) {
  /**
   * Milliseconds from this to a later one: exact while the machine runs, whatever was done to the
   * wall clock. Across a start of the machine there is only the wall clock, and if that went back,
   * 0.
   */
  long millisTo(WrittenTime later) {
    return isOfTheSameStart(later)
        ? Math.max(0, later.uptimeMillis - uptimeMillis)
        : Math.max(0, later.wallMillis - wallMillis);
  }

  /** Whether this was certainly before the other. */
  boolean isBefore(WrittenTime other) {
    return isOfTheSameStart(other) && uptimeMillis < other.uptimeMillis;
  }

  private boolean isOfTheSameStart(WrittenTime other) {
    return !boot.isEmpty() && boot.equals(other.boot);
  }
}
