package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.merge.MemoryExtent;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a living series had values: for how long a rate is counted, and what was last when there is
 * nothing now.
 *
 * @param series one that lives
 * @param extent of its intervals in memory, by the clocks of its clients; empty without a history
 */
record SeriesTimes(Series series, HistoryExtent extent) {
  /** Values are still on their way for so long: within it a series that is recorded is not idle. */
  private static final Duration ARRIVAL = LiveSteps.ARRIVAL;

  static SeriesTimes of(Series series) {
    return new SeriesTimes(series, MemoryExtent.of(series));
  }

  /**
   * Over how long the counts of a span that ends now were recorded: since the first value, if that
   * came within the span. Lengths are taken from one clock each, so a clock of a client that is
   * wrong does not matter.
   *
   * @return seconds, more than 0
   */
  double secondsWithin(Duration span, Instant now) {
    return Math.min(span.toMillis(), sinceFirstValue(now)) / 1000.0;
  }

  /** The same without a span. */
  double secondsSinceFirstValue(Instant now) {
    return sinceFirstValue(now) / 1000.0;
  }

  private long sinceFirstValue(Instant now) {
    if (extent.isEmpty()) {
      return Math.max(1, Duration.between(series.createdAt(), now).toMillis());
    }
    long recorded = extent.toMillis() - extent.fromMillis();
    long silent = Duration.between(series.lastSeen(), now).minus(ARRIVAL).toMillis();
    return Math.max(1, recorded + Math.max(0, silent));
  }

  /** From when to when there are intervals; null for none. */
  @Nullable JsonObject kept() {
    return extent.isEmpty() ? null : PastJson.between(extent.fromMillis(), extent.toMillis());
  }

  /** Reads the last time that had values, as long as this span. */
  HistoryRange readLast(Duration span, Distribution into) {
    IntervalSum sum = new IntervalSum();
    if (!extent.isEmpty()) {
      long end = extent.toMillis() + 1;
      series
          .historyIntervals(extent.toMillis() - span.toMillis(), end, Long.MAX_VALUE)
          .forEach(sum::add);
    }
    into.clear();
    sum.counts().addTo(into);
    return sum.range();
  }
}
