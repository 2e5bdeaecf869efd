package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.RejectReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Says in the log what the counters count: the first refusal of a reason at once, further ones
 * together after a minute, so that a flood of bad bytes is no flood of lines. Merge context only.
 */
final class RejectLog {
  private static final Logger LOG = System.getLogger(RejectLog.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private record LastLine(long count, long atNanos) {}

  private final Map<RejectReason, LastLine> said = new EnumMap<>(RejectReason.class);

  /** Logs what is new since the last call. */
  void log(Map<RejectReason, Long> rejected, long nowNanos) {
    rejected.forEach(
        (reason, count) -> {
          LastLine before = said.get(reason);
          long news = count - (before == null ? 0 : before.count());
          if (news > 0 && (before == null || nowNanos - before.atNanos() >= QUIET_NANOS)) {
            LOG.log(
                Level.WARNING,
                "event=rejected reason={0} more={1} total={2}",
                reason.label(),
                String.valueOf(news),
                String.valueOf(count));
            said.put(reason, new LastLine(count, nowNanos));
          }
        });
  }
}
