package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.journal.SeriesText;
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

  /** Objects of a series, its entry, and of a label. */
  private static final long SERIES_BYTES = 400;

  private static final long LABEL_BYTES = 136;

  private final int maxSeries;
  private final long maxBytes;
  private final Map<Long, Known> byHash = new HashMap<>();
  private long bytes;
  private boolean full;

  PastCatalog(int maxSeries, long maxBytes) {
    this.maxBytes = maxBytes;
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
      long more = bytesOf(text.definition());
      if (byHash.size() >= maxSeries || bytes + more > maxBytes) {
        full = true;
        return;
      }
      bytes += more;
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
    boolean any = byHash.values().removeIf(known -> known.lastFile < file);
    bytes = byHash.values().stream().mapToLong(known -> bytesOf(known.definition)).sum();
    full &= !any;
  }

  private static long bytesOf(SeriesDefinition definition) {
    SeriesKey key = definition.key();
    long[] sum = {SERIES_BYTES + 2L * (key.name().length() + definition.help().length())};
    key.labels()
        .forEach((name, value) -> sum[0] += LABEL_BYTES + 2L * (name.length() + value.length()));
    return sum[0];
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
