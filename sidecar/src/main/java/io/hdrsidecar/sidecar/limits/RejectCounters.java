package io.hdrsidecar.sidecar.limits;

import io.hdrsidecar.internal.wire.RejectReason;
import java.util.EnumMap;
import java.util.Map;

/** How often something was refused, by reason. One thread counts, any thread reads. */
public final class RejectCounters {
  private final Map<RejectReason, SingleWriterCounter> byReason = new EnumMap<>(RejectReason.class);

  /** All zero. */
  public RejectCounters() {
    for (RejectReason reason : RejectReason.values()) {
      byReason.put(reason, new SingleWriterCounter());
    }
  }

  /** Counts one. One thread only. */
  public void count(RejectReason reason) {
    counter(reason).increment();
  }

  /** Counts 0 or more. One thread only. */
  public void add(RejectReason reason, long more) {
    counter(reason).add(more);
  }

  /** How often so far. Any thread. */
  public long get(RejectReason reason) {
    return counter(reason).get();
  }

  /** A copy of all counts above 0. Any thread. */
  public Map<RejectReason, Long> snapshot() {
    Map<RejectReason, Long> counts = new EnumMap<>(RejectReason.class);
    byReason.forEach(
        (reason, counter) -> {
          if (counter.get() > 0) {
            counts.put(reason, counter.get());
          }
        });
    return counts;
  }

  private SingleWriterCounter counter(RejectReason reason) {
    SingleWriterCounter counter = byReason.get(reason);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + reason);
    }
    return counter;
  }
}
