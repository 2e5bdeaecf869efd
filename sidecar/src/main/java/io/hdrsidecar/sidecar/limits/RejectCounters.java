package io.hdrsidecar.sidecar.limits;

import io.hdrsidecar.internal.wire.RejectReason;
import java.util.EnumMap;
import java.util.Map;

/** How often something was refused, by reason. One thread counts, any thread reads. */
public final class RejectCounters {
  private final EnumCounters<RejectReason> byReason = new EnumCounters<>(RejectReason.class);

  /** All zero. */
  public RejectCounters() {}

  /** Counts one. One thread only. */
  public void count(RejectReason reason) {
    byReason.of(reason).increment();
  }

  /** Counts 0 or more. One thread only. */
  public void add(RejectReason reason, long more) {
    byReason.of(reason).add(more);
  }

  /** How often so far. Any thread. */
  public long get(RejectReason reason) {
    return byReason.of(reason).get();
  }

  /** A copy of all counts above 0. Any thread. */
  public Map<RejectReason, Long> snapshot() {
    Map<RejectReason, Long> counts = new EnumMap<>(RejectReason.class);
    byReason.forEach(
        (reason, counter) -> {
          long count = counter.getAsLong();
          if (count > 0) {
            counts.put(reason, count);
          }
        });
    return counts;
  }
}
