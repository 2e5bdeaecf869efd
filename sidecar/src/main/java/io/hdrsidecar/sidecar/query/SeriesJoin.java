package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesBytes;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.JoinedCounts;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
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
public record SeriesJoin(
    SeriesSelection selection,
    Distribution distribution,
    long startMillis,
    long endMillis,
    @Nullable PastCounts past) {
  /** Reads all that was counted since start, each series as of one moment. */
  public static SeriesJoin ofTotal(SeriesSelection selection, QueryScope scope) {
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Series each : selection.series()) {
      start = Math.min(start, each.createdAt().toEpochMilli());
      end = Math.max(end, each.lastSeen().toEpochMilli());
    }
    return new SeriesJoin(
        selection, join(selection, scope, Series::readTotal), start, Math.max(start, end), null);
  }

  /** Reads a window, each series as of one moment. */
  public static SeriesJoin ofWindow(
      SeriesSelection selection, QueryScope scope, int index, Instant now) {
    WindowSpec window = scope.store().windows().get(index);
    Distribution joined =
        join(selection, scope, (series, reader) -> series.readWindow(index, reader));
    long end = now.toEpochMilli();
    return new SeriesJoin(selection, joined, end - window.span().toMillis(), end, null);
  }

  private static Distribution join(
      SeriesSelection selection, QueryScope scope, BiConsumer<Series, CountsReader> reading) {
    CountsClaim claim = new CountsClaim(scope.claim());
    Distribution joined = new Distribution();
    if (selection.series().size() == 1) { // as mostly; it needs no copy
      Series only = selection.series().get(0);
      claim.holds(SeriesBytes.ofDistribution(only));
      reading.accept(only, joined);
    } else {
      JoinedCounts all = new JoinedCounts(claim::holds);
      join(selection.series(), reading, all);
      all.addTo(joined);
    }
    return joined;
  }

  /** Adds up series, each as of one moment, for each of which room is made before it is read. */
  public static void join(
      List<Series> series, BiConsumer<Series, CountsReader> reading, JoinedCounts into) {
    for (Series each : series) {
      into.add(SeriesBytes.ofCounters(each), one -> reading.accept(each, one));
    }
  }

  /**
   * Reads a range of time, in memory and in files.
   *
   * @param parameter that had the selector
   */
  public static SeriesJoin ofRange(
      String parameter, Selector selector, TimeRange range, QueryScope scope)
      throws QueryException {
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
