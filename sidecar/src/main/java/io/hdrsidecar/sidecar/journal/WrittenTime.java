package io.hdrsidecar.sidecar.journal;

/**
 * When something was written into the journal.
 *
 * @param wallMillis milliseconds since the epoch, by a clock that may have been set
 * @param uptimeMillis for how many milliseconds the machine had been running
 * @param boot which start of the machine that counts from; empty when unknown
 */
record WrittenTime(long wallMillis, long uptimeMillis, String boot) {
  /** Whether the machine ran from one to the other, so that its uptime tells how long that was. */
  boolean isOfTheSameStart(WrittenTime other) {
    return !boot.isEmpty() && boot.equals(other.boot);
  }
}
