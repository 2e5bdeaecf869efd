package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Notes when series were added to a store or removed from it, so that selectors are matched again
 * only then. One thread.
 */
final class KnownSeries {
  private Set<Series> known = Set.of();
  private long version;

  /** Rises when the series are others than at the last call. O(series). */
  long version(SeriesStore store) {
    Set<Series> now = Collections.newSetFromMap(new IdentityHashMap<>(2 * known.size()));
    now.addAll(store.series());
    if (version == 0 || !now.equals(known)) {
      known = now;
      version++;
    }
    return version;
  }
}
