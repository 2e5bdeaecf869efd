package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.interval.SeriesKey;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.PercentileReader;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
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
  private static final BigDecimal P50 = BigDecimal.valueOf(50);
  private static final BigDecimal P99 = BigDecimal.valueOf(99);

  private final OverviewQuery query;
  private final SeriesStore store;
  private final QueryLimits limits;
  private final PastReading reading;
  private final Instant now;
  private final PercentileReader reader =
      new PercentileReader(P50.doubleValue(), P99.doubleValue());
  private final List<PastCounts> read = new ArrayList<>();
  private long intervals;

  /**
   * For one query.
   *
   * @param reading what there is of its range outside of memory
   */
  OverviewRows(
      OverviewQuery query,
      SeriesStore store,
      QueryLimits limits,
      PastReading reading,
      Instant now) {
    this.query = query;
    this.store = store;
    this.limits = limits;
    this.reading = reading;
    this.now = now;
  }

  /** The rows of these series, in the same order. */
  List<OverviewRow> of(List<OverviewSeries> some) throws ApiException {
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
    if (query.windowIndex() == HistogramQuery.TOTAL) {
      reader.readTotal(series);
      Duration counting = Duration.between(series.createdAt(), now);
      return row(of, Math.max(1, counting.toMillis()) / 1000.0);
    }
    reader.readWindow(series, query.windowIndex());
    return row(of, store.windows().get(query.windowIndex()).span().toMillis() / 1000.0);
  }

  private OverviewRow row(OverviewSeries series, double seconds) {
    return new OverviewRow(
        series, seconds, reader.count(), reader.valueAt(0), reader.valueAt(1), reader.max(), null);
  }

  private List<OverviewRow> ofRange(List<OverviewSeries> some, TimeRange range)
      throws ApiException {
    Selection all = OverviewSeries.selection(some);
    List<SeriesKey> keys = all.keys();
    List<PastCounts> counts = PastCounts.each(all, range, reading, limits);
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

  private OverviewRow ofRange(OverviewSeries series, PastCounts past) throws ApiException {
    Distribution sum = past.sum();
    HistoryRange covered = past.covered();
    read.add(past);
    boolean empty = past.intervals().isEmpty();
    return new OverviewRow(
        series,
        // Of an interval without length, as long as a clock can tell.
        (empty ? 1 : Math.max(1, covered.toMillis() - covered.fromMillis())) / 1000.0,
        sum.count(),
        Percentiles.valueAt(sum, P50),
        Percentiles.valueAt(sum, P99),
        sum.max(),
        past);
  }

  /**
   * The small picture of a row.
   *
   * @return null if there is no history, or no figures are wanted
   * @throws ApiException when this query has read too much of it by now
   */
  @Nullable JsonObject spark(OverviewRow row) throws ApiException {
    PastCounts past = row.past();
    if (past != null) {
      return query.spark().json(past);
    }
    Series living = row.series().living();
    if (!store.keepsHistory() || !query.figures() || living == null) {
      return null;
    }
    return query.spark().json(inMemory(living));
  }

  /** In words, what is not as it was asked for, of all series together. */
  JsonArray warnings() {
    JsonArray warnings = new JsonArray(new ArrayList<>(new LinkedHashSet<>(reading.warnings())));
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

  /** The last minutes of a series are in memory, and their figures need no reading. */
  private PastCounts inMemory(Series series) throws ApiException {
    Selection one = new Selection("series", List.of(series), series.unit());
    PastCounts past = PastCounts.of(one, query.spark().range(), store, limits);
    intervals += past.intervals().size();
    if (intervals > limits.maxIntervals()) {
      throw ApiException.tooCostly(
          "limit",
          "more than "
              + limits.maxIntervals()
              + " intervals would have to be read (query.max-intervals); ask for fewer series, or"
              + " a shorter range");
    }
    return past;
  }
}
