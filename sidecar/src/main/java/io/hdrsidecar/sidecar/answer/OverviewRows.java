package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesBytes;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.CountsClaim;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.PercentileReader;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads series one by one, within the limit of intervals that one query may read. One thread at a
 * time.
 */
final class OverviewRows {
  private final OverviewQuery query;
  private final QueryScope scope;
  private final CountsClaim counts;
  private final SeriesStore store;
  private final QueryLimits limits;
  private final PastReading reading;
  private final Instant now;
  private final PercentileReader reader = OverviewStatistics.reader();
  private final List<PastCounts> read = new ArrayList<>();
  private long intervals;

  /**
   * For one query.
   *
   * @param reading what there is of its range outside of memory
   */
  OverviewRows(OverviewQuery query, QueryScope scope, PastReading reading, Instant now) {
    this.query = query;
    this.scope = scope;
    this.counts = new CountsClaim(scope.claim());
    this.store = scope.store();
    this.limits = scope.limits();
    this.reading = reading;
    this.now = now;
  }

  /** The rows of these series, in the same order. */
  List<OverviewRow> of(List<OverviewSeries> some) throws QueryException {
    TimeRange range = query.range();
    if (some.isEmpty()) {
      return new ArrayList<>();
    }
    if (range != null && query.figures()) {
      return ofRange(some, range);
    }
    List<OverviewRow> rows = new ArrayList<>(some.size());
    for (OverviewSeries each : some) {
      Series living = each.living();
      rows.add(living == null || range != null ? OverviewRow.named(each) : counted(each, living));
    }
    return rows;
  }

  private OverviewRow counted(OverviewSeries of, Series series) {
    List<BucketLayout> layouts = series.layouts();
    boolean isForeign = layouts.stream().anyMatch(layout -> !layout.isHdr());
    if (layouts.size() > 1 || isForeign) { // else they are read without a copy
      counts.holds(SeriesBytes.ofDistribution(series));
    }
    SeriesTimes times = SeriesTimes.of(series);
    boolean isTotal = query.windowIndex() == HistogramQuery.TOTAL;
    double seconds =
        isTotal
            ? times.secondsSinceFirstValue(now)
            : times.secondsWithin(store.windows().get(query.windowIndex()).span(), now);
    Distribution distribution = new Distribution();
    CountsReader into = isForeign ? distribution : reader;
    if (isTotal) {
      series.readTotal(into);
    } else {
      series.readWindow(query.windowIndex(), into);
    }
    return new OverviewRow(
        of,
        isForeign
            ? OverviewStatistics.of(distribution, seconds)
            : OverviewStatistics.of(reader, seconds),
        null);
  }

  private List<OverviewRow> ofRange(List<OverviewSeries> some, TimeRange range)
      throws QueryException {
    SeriesSelection all = OverviewSeries.selection(some);
    List<SeriesKey> keys = all.keys();
    List<PastCounts> counts = PastCounts.each(all, range, reading, scope);
    Map<SeriesKey, PastCounts> byKey = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      byKey.put(keys.get(i), counts.get(i));
    }
    List<OverviewRow> rows = new ArrayList<>(some.size());
    for (OverviewSeries each : some) {
      rows.add(ofRange(each, Objects.requireNonNull(byKey.get(each.key()))));
    }
    return rows;
  }

  private OverviewRow ofRange(OverviewSeries series, PastCounts past) throws QueryException {
    Distribution sum = past.sum();
    HistoryRange covered = past.covered();
    read.add(past);
    double seconds = past.intervals().isEmpty() ? 1 : seconds(covered);
    return new OverviewRow(series, OverviewStatistics.of(sum, seconds), past);
  }

  /**
   * The small picture of a row.
   *
   * @return null if there is no history, or no statistics are wanted
   * @throws QueryException when this query has read too much of it by now
   */
  @Nullable JsonObject spark(OverviewRow row) throws QueryException {
    PastCounts past = row.past();
    if (past != null) {
      return query.spark().json(past);
    }
    Series living = row.series().living();
    if (!store.past().isInMemory() || !query.figures() || living == null) {
      return null;
    }
    long before = scope.claim().bytes();
    JsonObject line = query.spark().json(inMemory(living));
    scope.claim().resize(scope.claim().bytes(), before);
    return line;
  }

  /**
   * Says of a living series, unless a range is asked about, from when to when there is anything,
   * and of one that is quiet what was last.
   *
   * @throws QueryException when this query has read too much by now
   */
  void addTimes(JsonObject json, OverviewRow row) throws QueryException {
    Series living = row.series().living();
    if (living == null || query.range() != null) {
      return;
    }
    SeriesTimes times = SeriesTimes.of(living);
    json.put("kept", times.kept());
    if (row.statistics().count() == 0 && query.windowIndex() != HistogramQuery.TOTAL) {
      json.put("last", last(times));
    }
  }

  private @Nullable JsonObject last(SeriesTimes times) throws QueryException {
    counts.holds(SeriesBytes.ofDistribution(times.series()));
    Distribution last = new Distribution();
    HistoryRange range = times.readLast(store.windows().get(query.windowIndex()).span(), last);
    countIntervals(range.intervals());
    if (last.count() == 0) {
      return null;
    }
    return OverviewStatistics.of(last, seconds(range))
        .addTo(PastJson.between(range.fromMillis(), range.toMillis()));
  }

  /** Of an interval without length, as long as a clock can tell. */
  private static double seconds(HistoryRange range) {
    return Math.max(1, range.toMillis() - range.fromMillis()) / 1000.0;
  }

  /** In words, what is not as it was asked for, of all series together. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>(new LinkedHashSet<>(reading.warnings()));
    int unread = read.stream().mapToInt(PastCounts::unread).sum();
    if (unread > 0) {
      warnings.add(unread + " intervals could not be read and are not in the figures");
    }
    long beyond = read.stream().filter(PastCounts::reachesBeyond).count();
    if (beyond > 0) {
      warnings.add(
          "intervals are not cut: the figures of "
              + beyond
              + " series are about more than the range, see covered");
    }
    return warnings;
  }

  /** The last minutes of a series are in memory, and their statistics need no reading. */
  private PastCounts inMemory(Series series) throws QueryException {
    SeriesSelection one = new SeriesSelection("series", List.of(series), series.unit());
    PastCounts past = PastCounts.of(one, query.spark().range(), scope);
    countIntervals(past.intervals().size());
    return past;
  }

  private void countIntervals(int more) throws QueryException {
    intervals += more;
    if (intervals > limits.maxIntervals()) {
      throw QueryException.tooCostly(
          "limit",
          "more than "
              + limits.maxIntervals()
              + " intervals would have to be read (query.max-intervals); ask for fewer series, or"
              + " a shorter range");
    }
  }
}
