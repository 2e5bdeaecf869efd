package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.StateLog;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Writes to a ledger, and after a failure waits before the next attempt. While it fails nothing new
 * is sent: it would be sent again later. One thread.
 */
final class LedgerAttempts {
  private static final long RETRY_NANOS = 2_000_000_000L;

  private final StateLog log;
  private long retryAt;
  private long failures;
  private boolean failing;

  /** Something to be written. */
  interface Entry {
    /** Writes it, whole or not at all. */
    void write() throws IOException;
  }

  LedgerAttempts(StateLog log, long now) {
    this.log = log;
    this.retryAt = now;
  }

  /** Whether it is time for one. */
  boolean isDue(long now) {
    return now - retryAt >= 0;
  }

  /** When it is. */
  long retryAt() {
    return retryAt;
  }

  boolean areFailing() {
    return failing;
  }

  /** How often it could not be written. */
  long failures() {
    return failures;
  }

  /** Tries to; whether it is written. */
  boolean isWritten(long now, Entry entry) {
    try {
      entry.write();
      if (failing) {
        failing = false;
        log.always(Level.INFO, "what is sent can be written down again");
      }
      return true;
    } catch (IOException | RuntimeException e) {
      failures++;
      retryAt = now + RETRY_NANOS;
      if (!failing) {
        failing = true;
        log.always(Level.ERROR, "nothing is sent, as it cannot be written down before: " + e);
      }
      return false;
    }
  }
}
