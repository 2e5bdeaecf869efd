package io.hdrsidecar.sidecar.logs;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.LogRecord;

/**
 * How many lines of one kind are written: {@value #AT_ONCE} at once, and then one a second. Anybody
 * who can connect can make events happen; so he could fill a disk, and hide in the noise.
 *
 * <p>A kind is an event or, of what libraries say, a logger: one that is noisy silences no other.
 * What is left out is counted. Any thread.
 */
final class LineLimits {
  static final int AT_ONCE = 20;

  /** Events are few; names of loggers come from code, too, and no more of them are told apart. */
  private static final int MOST_KINDS = 256;

  private static final long NANOS_A_LINE = TimeUnit.SECONDS.toNanos(1);

  /** The life of the process: each has happened once, and is always told. */
  private static final Set<String> ALWAYS =
      Set.of("starting", "limits", "config", "ready", "stopping", "stopped", "ended_at_once");

  private static final class Kind {
    private long spentUntilNanos;
    private long leftOut;

    private Kind(long nowNanos) {
      spentUntilNanos = nowNanos - AT_ONCE * NANOS_A_LINE;
    }

    /** Whether there is a place now, which is taken then. */
    private boolean take(long nowNanos) {
      long eldest = nowNanos - AT_ONCE * NANOS_A_LINE;
      spentUntilNanos = spentUntilNanos - eldest < 0 ? eldest : spentUntilNanos;
      if (nowNanos - spentUntilNanos < NANOS_A_LINE) {
        return false;
      }
      spentUntilNanos += NANOS_A_LINE;
      return true;
    }
  }

  private final LongSupplier nanoTime;
  private final Map<String, Kind> kinds = new HashMap<>();
  private long leftOut;

  /**
   * Nothing is written yet.
   *
   * @param nanoTime a clock like System::nanoTime
   */
  LineLimits(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Takes a place for a line.
   *
   * @return how many of its kind were left out since the last one written; below 0 when it is left
   *     out itself
   */
  synchronized long admit(LogRecord log) {
    String name = LogFields.kind(log);
    if (ALWAYS.contains(name)) {
      return 0;
    }
    long now = nanoTime.getAsLong();
    Kind kind = kinds.get(name);
    if (kind == null) {
      kind = kinds.computeIfAbsent(kinds.size() < MOST_KINDS ? name : "", any -> new Kind(now));
    }
    if (!kind.take(now)) {
      kind.leftOut++;
      leftOut++;
      return -1;
    }
    long before = kind.leftOut;
    kind.leftOut = 0;
    return before;
  }

  /** Lines left out, of all kinds. */
  synchronized long leftOut() {
    return leftOut;
  }
}
