package io.hdrsidecar.sidecar.statsd;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Says in the log what the counters count: the first of a kind at once, and one more a minute later
 * at the earliest, with how many there were in between. So a flood of bad lines is no flood of log
 * lines. One thread at a time.
 */
final class StatsdLog {
  private static final Logger LOG = System.getLogger(StatsdLog.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_SHOWN = 120;

  private static final class LastWarning {
    private long atNanos;
    private long since;
  }

  private final LongSupplier nanoTime;
  private final Map<String, LastWarning> said = new HashMap<>();

  StatsdLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether one of this kind is to be said now; counts it in any case. */
  private boolean isDue(String kind, long nowNanos) {
    LastWarning last = said.get(kind);
    if (last == null) {
      last = new LastWarning();
      last.atNanos = nowNanos - QUIET_NANOS;
      said.put(kind, last);
    }
    last.since++;
    return nowNanos - last.atNanos >= QUIET_NANOS;
  }

  private String told(String kind, long nowNanos) {
    LastWarning last = said.get(kind);
    if (last == null) {
      return "1";
    }
    String count = String.valueOf(last.since);
    last.atNanos = nowNanos;
    last.since = 0;
    return count;
  }

  /**
   * A line could not be used.
   *
   * @param from where it came from
   */
  void badLine(NotKept reason, byte[] bytes, int start, int end, Object from) {
    long now = nanoTime.getAsLong();
    if (isDue(reason.label(), now)) {
      LOG.log(
          Level.WARNING,
          "event=statsd_bad_line reason={0} expected={1} came={2} from={3} since_last={4}",
          reason.label(),
          reason.expected(),
          shown(bytes, start, end),
          String.valueOf(from),
          told(reason.label(), now));
    }
  }

  /** The store has refused what a series had counted. */
  void refused(String reason, String series, String problem) {
    long now = nanoTime.getAsLong();
    if (isDue(reason, now)) {
      LOG.log(
          Level.WARNING,
          "event=statsd_series_refused reason={0} series={1} problem={2} since_last={3}",
          reason,
          series,
          problem,
          told(reason, now));
    }
  }

  /** The kernel has dropped datagrams. */
  void dropped(long datagrams, int bufferBytes) {
    long now = nanoTime.getAsLong();
    if (isDue("kernel", now)) {
      LOG.log(
          Level.WARNING,
          "event=statsd_kernel_dropped datagrams={0} receive_buffer={1} since_last={2}",
          String.valueOf(datagrams),
          String.valueOf(bufferBytes),
          told("kernel", now));
    }
  }

  /** As much of it as fits, other bytes than printable ASCII as question marks. */
  private static String shown(byte[] bytes, int start, int end) {
    int shownEnd = Math.min(end, start + MOST_SHOWN);
    StringBuilder text = new StringBuilder();
    for (int i = start; i < shownEnd; i++) {
      text.append(bytes[i] >= ' ' && bytes[i] < 127 ? (char) bytes[i] : '?');
    }
    return text.append(shownEnd < end ? "..." : "").toString();
  }
}
