package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesBytes;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Instant;
import java.util.function.Consumer;
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
  /** Adds up series, one by one, for each of which room is made before it is read. */
  private static final class Joining {
    private final Distribution joined = new Distribution();
    private final Distribution one = new Distribution();
    private final CountsClaim claim;

    Joining(HeapClaim claim) {
      this.claim = new CountsClaim(claim);
    }

    void add(Series series, Consumer<CountsReader> reading) {
      long reads = SeriesBytes.ofDistribution(series);
      if (joined.size() == 0) { // mostly the only one, which needs no second list
        claim.holds(reads);
        reading.accept(joined);
        return;
      }
      claim.holds(joined.allocatedBytes() + one.allocatedBytes() + reads);
      reading.accept(one);
      claim.holds(
          joined.allocatedBytes()
              + one.allocatedBytes()
              + Distribution.bytesFor(joined.size() + one.size(), 2));
      joined.add(one);
    }
  }

  /** Reads all that was counted since start, each series as of one moment. */
  public static SeriesJoin ofTotal(SeriesSelection selection, QueryScope scope) {
    Joining joining = new Joining(scope.claim());
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Series each : selection.series()) {
      joining.add(each, each::readTotal);
      start = Math.min(start, each.createdAt().toEpochMilli());
      end = Math.max(end, each.lastSeen().toEpochMilli());
    }
    return new SeriesJoin(selection, joining.joined, start, Math.max(start, end), null);
  }

  /** Reads a window, each series as of one moment. */
  public static SeriesJoin ofWindow(
      SeriesSelection selection, QueryScope scope, int index, Instant now) {
    WindowSpec window = scope.store().windows().get(index);
    Joining joining = new Joining(scope.claim());
    for (Series each : selection.series()) {
      joining.add(each, one -> each.readWindow(index, one));
    }
    long end = now.toEpochMilli();
    return new SeriesJoin(selection, joining.joined, end - window.span().toMillis(), end, null);
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
