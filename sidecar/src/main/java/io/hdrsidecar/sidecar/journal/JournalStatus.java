package io.hdrsidecar.sidecar.journal;

import java.time.Instant;

/**
 * How the journal is doing.
 *
 * @param state whether it is written
 * @param reason why not, for people; empty while it is
 * @param since when the state began
 * @param bytesWritten bytes written since start
 * @param flushes flushes since start
 * @param failures failed attempts to write, since start
 * @param unwrittenRecords records acknowledged from memory that no file and no checkpoint has yet
 * @param lastRecord number of the last record appended
 * @param durableRecord every record up to this number is durable
 * @param queuedBytes bytes waiting to be written
 * @param files files in the directory
 * @param fileBytes their size together
 * @param lastCheckpoint when the last checkpoint was completed; the epoch for never
 * @param recovery what was found at start
 */
public record JournalStatus(
    State state,
    String reason,
    Instant since,
    long bytesWritten,
    long flushes,
    long failures,
    long unwrittenRecords,
    long lastRecord,
    long durableRecord,
    long queuedBytes,
    int files,
    long fileBytes,
    Instant lastCheckpoint,
    RecoveryReport recovery) {
  /** Whether the journal is written. */
  public enum State {
    /** Everything acknowledged is in the journal. */
    WRITING,
    /** Writing fails, or worked again and the checkpoint that closes the gap is not done. */
    MEMORY,
    /** Writing fails; nothing is acknowledged. */
    REFUSING
  }

  /** Whether clients can hand over intervals for good. */
  public boolean isReady() {
    return state != State.REFUSING;
  }
}
