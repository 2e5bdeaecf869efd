package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The join of all series a query matches: counts add, percentiles are of the whole.
 *
 * @param selection what was joined
 * @param distribution what all of them counted
 * @param startMillis from when it is, milliseconds since the epoch
 * @param endMillis until when
 * @param past what was read of the history; null for the total or a window
 */
record SeriesJoin(
    Selection selection,
    Distribution distribution,
    long startMillis,
    long endMillis,
    @Nullable PastCounts past) {
  /** Reads all that was counted since start, each series as of one moment. */
  static SeriesJoin ofTotal(Selection selection) {
    Distribution joined = new Distribution();
    Distribution one = new Distribution();
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Series each : selection.series()) {
      each.readTotal(one);
      joined.add(one);
      start = Math.min(start, each.createdAt().toEpochMilli());
      end = Math.max(end, each.lastSeen().toEpochMilli());
    }
    return new SeriesJoin(selection, joined, start, Math.max(start, end), null);
  }

  /** Reads a window, each series as of one moment. */
  static SeriesJoin ofWindow(Selection selection, SeriesStore store, int index, Instant now) {
    WindowSpec window = store.windows().get(index);
    Distribution joined = new Distribution();
    Distribution one = new Distribution();
    for (Series each : selection.series()) {
      each.readWindow(index, one);
      joined.add(one);
    }
    long end = now.toEpochMilli();
    return new SeriesJoin(selection, joined, end - window.span().toMillis(), end, null);
  }

  /**
   * Reads a range of time, in memory and in files.
   *
   * @param parameter that had the selector
   */
  static SeriesJoin ofRange(String parameter, Selector selector, TimeRange range, QueryScope scope)
      throws ApiException {
    try (PastCounts past = scope.past(parameter, selector, range)) {
      Distribution joined = past.sum();
      boolean empty = past.intervals().isEmpty();
      return new SeriesJoin(
          past.selection(),
          joined,
          empty ? range.startMillis() : past.covered().fromMillis(),
          empty ? range.startMillis() : past.covered().toMillis(),
          past);
    }
  }
}
