package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Says how the export is doing when that changes, not per attempt, and of a receiver that fails now
 * and then the same in some minutes again. One thread.
 */
final class ExportLog {
  private static final Logger LOG = System.getLogger(ExportLog.class.getName());

  private static final long QUIET_NANOS = Duration.ofMinutes(10).toNanos();

  private final String address;
  private Result state = Result.DELIVERED;
  private long attempts;
  private final Map<Result, Long> told = new EnumMap<>(Result.class);
  private boolean toldFailure;

  ExportLog(String address) {
    this.address = address;
  }

  /** A request was answered, or not. */
  void answered(ExportAnswer answer) {
    attempts++;
    if (answer.result() == state) {
      return;
    }
    state = answer.result();
    if (state != Result.DELIVERED) {
      warn(answer);
    } else if (toldFailure) {
      toldFailure = false;
      LOG.log(
          Level.INFO,
          "event=export_delivers address={0} failed={1}",
          address,
          String.valueOf(attempts - 1));
    }
    attempts = 0;
  }

  private void warn(ExportAnswer answer) {
    long now = System.nanoTime();
    Long last = told.get(answer.result());
    if (last == null || now - last >= QUIET_NANOS) {
      told.put(answer.result(), now);
      toldFailure = true;
      LOG.log(
          Level.WARNING,
          "event=export_fails address={0} result={1} problem={2}",
          address,
          answer.result().label(),
          answer.problem());
    }
  }

  /** Something of ours went wrong in a round; the next one begins anew. */
  void failed(RuntimeException error) {
    LOG.log(Level.ERROR, "event=export_round_failed", error);
  }

  /** The end has come before all was delivered. */
  void undelivered(long values) {
    LOG.log(
        Level.WARNING,
        "event=export_undelivered address={0} values={1}",
        address,
        String.valueOf(values));
  }
}
