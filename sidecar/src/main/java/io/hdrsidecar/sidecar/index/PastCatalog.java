package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.journal.SeriesText;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastSeries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every series that the files of the journal have, once, whether it lives or not: so that a
 * selector finds those that have ended. Bounded: what does not fit is not found, and is said. One
 * thread at a time.
 */
final class PastCatalog {
  private static final class Known {
    private final SeriesDefinition definition;
    private HistoryExtent extent = HistoryExtent.EMPTY;
    private long lastFile = Long.MIN_VALUE;

    Known(SeriesDefinition definition) {
      this.definition = definition;
    }
  }

  private final int maxSeries;
  private final Map<Long, Known> byHash = new HashMap<>();
  private boolean full;

  PastCatalog(int maxSeries) {
    this.maxSeries = maxSeries;
  }

  /** Whether the definition of a series is needed, or it is known already. */
  boolean knows(long hash) {
    return byHash.containsKey(hash);
  }

  /**
   * A file has lines of a series.
   *
   * @param file its place in the order of the files
   */
  void add(long hash, SeriesText text, HistoryExtent extent, long file) {
    if (!knows(hash)) {
      if (byHash.size() >= maxSeries) {
        full = true;
        return;
      }
      byHash.put(hash, new Known(text.definition()));
    }
    add(hash, extent, file);
  }

  /** The same of a series that is known. */
  void add(long hash, HistoryExtent extent, long file) {
    Known known = byHash.get(hash);
    if (known != null) {
      known.extent = known.extent.and(extent);
      known.lastFile = Math.max(known.lastFile, file);
    }
  }

  /** Forgets the series of which no file is left: none from this place on has them. */
  void filesDeletedBefore(long file) {
    byHash.values().removeIf(known -> known.lastFile < file);
    full &= byHash.size() >= maxSeries;
  }

  /** Whether there are more series than it may know. */
  boolean isFull() {
    return full;
  }

  int maxSeries() {
    return maxSeries;
  }

  /** Adds those that may have an interval in a range. */
  void addTo(List<PastSeries> found, long fromMillis, long toMillis) {
    for (Known each : byHash.values()) {
      if (each.extent.fromMillis() < toMillis && each.extent.toMillis() >= fromMillis) {
        found.add(
            new PastSeries(
                each.definition.key(),
                each.definition.unit(),
                each.definition.help(),
                each.extent.fromMillis(),
                each.extent.toMillis()));
      }
    }
  }
}
