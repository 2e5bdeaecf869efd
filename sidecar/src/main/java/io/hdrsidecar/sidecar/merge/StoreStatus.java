package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MemoryState;
import java.util.Map;

/**
 * Numbers of the store, for people and for the sidecar's own metrics.
 *
 * @param series series held, overflow series included
 * @param overflowSeries overflow series held
 * @param maxSeries the limit for series that are not overflow series
 * @param intervals intervals merged since start
 * @param values values in them; stays at {@link Long#MAX_VALUE} if it ever gets there
 * @param expired series that ended since start, as no intervals came
 * @param rejected what was refused since start, by reason; reasons that never occurred are absent
 * @param bytes memory of all counts and windows, approximately
 * @param memory how the store keeps to its memory
 */
public record StoreStatus(
    int series,
    int overflowSeries,
    int maxSeries,
    long intervals,
    long values,
    long expired,
    Map<RejectReason, Long> rejected,
    long bytes,
    MemoryState memory) {
  /** Takes a copy of the map. */
  public StoreStatus {
    rejected = Map.copyOf(rejected);
  }
}
