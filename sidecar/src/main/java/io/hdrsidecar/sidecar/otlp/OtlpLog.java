package io.hdrsidecar.sidecar.otlp;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Says in the log what the counters count: the first of a kind at once, and one more a minute later
 * at the earliest, with how many there were in between. One thread at a time.
 */
final class OtlpLog {
  private static final Logger LOG = System.getLogger(OtlpLog.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private static final class LastWarning {
    private long atNanos;
    private long since;
  }

  private final LongSupplier nanoTime;
  private final Map<String, LastWarning> kinds = new HashMap<>();

  OtlpLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Points were not kept, or a body could not be read.
   *
   * @param kind of a few there are
   * @param problem of the first
   */
  void notKept(String kind, String problem, long count) {
    long now = nanoTime.getAsLong();
    LastWarning told = kinds.get(kind);
    boolean isDue = told == null || now - told.atNanos >= QUIET_NANOS;
    if (told == null) {
      told = new LastWarning();
      kinds.put(kind, told);
    }
    told.since += count;
    if (isDue) {
      LOG.log(
          Level.WARNING,
          "event=otlp_not_kept reason={0} problem={1} since_last={2}",
          kind,
          problem,
          String.valueOf(told.since));
      told.atNanos = now;
      told.since = 0;
    }
  }
}
