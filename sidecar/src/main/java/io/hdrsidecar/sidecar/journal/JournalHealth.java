package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.journal.JournalConfig.Degrade;
import io.hdrsidecar.sidecar.journal.JournalStatus.State;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How the journal is doing: figures for others to read, and one log line for each change of state.
 * The writer thread reports, any thread reads; a lock taken a few times per flush.
 */
final class JournalHealth {
  private static final Logger LOG = System.getLogger(JournalHealth.class.getName());

  private final Degrade degrade;
  private final InstantSource clock;
  private State state = State.WRITING;
  private String reason = "";
  private Instant since;
  private boolean failing;
  private long bytesWritten;
  private long flushes;
  private long failures;
  private long unwrittenRecords;
  private long settledRecord;
  private int files;
  private long fileBytes;
  private Instant lastCheckpoint = Instant.EPOCH;
  private RecoveryReport recovery = new RecoveryReport(0, 0, 0, 0, 0, 0, 0, Duration.ZERO);

  JournalHealth(Degrade degrade, InstantSource clock) {
    this.degrade = degrade;
    this.clock = clock;
    this.since = clock.instant();
  }

  /** The journal was read at start, with these findings. */
  synchronized void recovered(RecoveryReport report, long lastRecord) {
    recovery = report;
    settledRecord = lastRecord;
  }

  synchronized void flushed(long bytes) {
    flushes++;
    bytesWritten += bytes;
  }

  synchronized void settled(long record, int unwritten) {
    settledRecord = record;
    unwrittenRecords += unwritten;
  }

  synchronized void files(int count, long bytes) {
    files = count;
    fileBytes = bytes;
  }

  synchronized void checkpointed(Instant when) {
    lastCheckpoint = when;
  }

  /** A write failed. */
  synchronized void fails(Exception cause) {
    failures++;
    reason = "writing fails: " + cause;
    if (!failing) {
      failing = true;
      enter(degrade == Degrade.MEMORY ? State.MEMORY : State.REFUSING);
      LOG.log(
          Level.ERROR,
          degrade == Degrade.MEMORY
              ? "event=journal_failed acknowledged=\"from memory\" cause={0}"
              : "event=journal_failed acknowledged=nothing cause={0}",
          cause);
      if (cause instanceof RuntimeException) {
        LOG.log(Level.ERROR, "event=journal_failed_unexpectedly", cause);
      }
    }
  }

  /**
   * A write succeeded after one had failed.
   *
   * @param hasGap whether records were acknowledged that no file has
   */
  synchronized void works(boolean hasGap) {
    failing = false;
    LOG.log(Level.INFO, "event=journal_writes_again gap={0}", hasGap);
    if (hasGap) {
      reason = "writing works again, the checkpoint that closes the gap is being made";
    } else {
      enter(State.WRITING);
      reason = "";
    }
  }

  /** A checkpoint has everything that no file has. */
  synchronized void whole() {
    if (state != State.WRITING && !failing) {
      enter(State.WRITING);
      reason = "";
      LOG.log(
          Level.INFO,
          "event=journal_whole closed_gap_records={0}",
          String.valueOf(unwrittenRecords));
    }
    unwrittenRecords = 0;
  }

  synchronized void checkpointFailed(Exception cause) {
    failures++;
    LOG.log(
        Level.WARNING, "event=journal_checkpoint_failed cause={0} it will be tried again", cause);
  }

  /** Something else failed that changes no state. */
  void note(String what, Exception cause) {
    LOG.log(Level.WARNING, "event=journal_trouble problem={0} cause={1}", what, cause);
  }

  /** The writer thread has ended by an error: nothing will be written any more. */
  synchronized void died(Throwable error) {
    failing = true;
    reason = "the writer has ended: " + error;
    enter(State.REFUSING);
    LOG.log(Level.ERROR, "event=journal_died", error);
  }

  private void enter(State newState) {
    state = newState;
    since = clock.instant();
  }

  /** Everything at one moment. */
  synchronized JournalStatus status(long lastRecord, long queuedBytes) {
    return new JournalStatus(
        state,
        reason,
        since,
        bytesWritten,
        flushes,
        failures,
        unwrittenRecords,
        Math.max(lastRecord, settledRecord),
        settledRecord,
        queuedBytes,
        files,
        fileBytes,
        lastCheckpoint,
        recovery);
  }
}
