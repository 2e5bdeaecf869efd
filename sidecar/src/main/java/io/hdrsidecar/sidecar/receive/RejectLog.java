package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.RejectReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts what is refused, and says in the log what the counters count: the first refusal of a
 * reason at once, further ones together after a minute, so that a flood of bad bytes is no flood of
 * lines. Each line names the first client since the line before. Merge context only.
 */
final class RejectLog {
  private static final Logger LOG = System.getLogger(RejectLog.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private record LastLine(long count, long atNanos) {}

  private final IntervalSink sink;
  private final Map<RejectReason, LastLine> said = new EnumMap<>(RejectReason.class);
  private final Map<RejectReason, RejectedClient> first = new EnumMap<>(RejectReason.class);

  RejectLog(IntervalSink sink) {
    this.sink = sink;
  }

  /**
   * Counts something refused.
   *
   * @param client asked only for the first of a line, so that a flood costs nothing but its counts
   */
  void count(RejectReason reason, Supplier<RejectedClient> client) {
    sink.countRejected(reason);
    first.computeIfAbsent(reason, none -> client.get());
  }

  /** Logs what is new since the last call. */
  void log(long nowNanos) {
    sink.rejected().forEach((reason, count) -> log(reason, count, nowNanos));
  }

  private void log(RejectReason reason, long count, long nowNanos) {
    LastLine before = said.get(reason);
    long news = count - (before == null ? 0 : before.count());
    if (news > 0 && (before == null || nowNanos - before.atNanos() >= QUIET_NANOS)) {
      RejectedClient client = first.getOrDefault(reason, RejectedClient.UNKNOWN);
      LOG.log(
          Level.WARNING,
          "event=rejected reason={0} more={1} total={2} peer={3} instance={4} labels={5}",
          reason.label(),
          String.valueOf(news),
          String.valueOf(count),
          client.peer(),
          client.shownInstance(),
          client.shownLabels());
      said.put(reason, new LastLine(count, nowNanos));
      first.remove(reason);
    }
  }
}
