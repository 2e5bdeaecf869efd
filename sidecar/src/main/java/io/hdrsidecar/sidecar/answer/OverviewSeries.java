package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.KeyText;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.query.TimeRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A series of the overview: one that lives, or one that has ended and of which there is a past.
 *
 * @param key name and labels
 * @param unit of the values
 * @param living null if it has ended
 * @param past where its intervals outside of memory are looked for; null for nowhere
 */
record OverviewSeries(
    SeriesKey key, Unit unit, @Nullable Series living, @Nullable PastSeries past) {
  /** Those that live, without their past. */
  static List<OverviewSeries> living(Collection<Series> living) {
    return living.stream()
        .map(each -> new OverviewSeries(each.key(), each.unit(), each, null))
        .toList();
  }

  /**
   * Those that live, with their past, and those that have ended, in the order of names and labels.
   * One that ended and began anew in another unit is one series, that which began last.
   *
   * @param living all that the selector matches
   * @throws QueryException when there are more than may be looked at
   */
  static List<OverviewSeries> ofRange(
      Selector selector,
      Collection<Series> living,
      PastReading reading,
      TimeRange range,
      QueryScope scope)
      throws QueryException {
    Map<SeriesKey, OverviewSeries> all = new HashMap<>();
    for (Series each : living) {
      PastSeries past =
          new PastSeries(
              each.key(), each.unit(), each.help(), range.startMillis(), range.endMillis());
      all.put(each.key(), new OverviewSeries(each.key(), each.unit(), each, past));
    }
    long before = scope.claim().bytes();
    living.forEach(each -> scope.claim().grow(KeyText.cost(each.key())));
    for (PastSeries each : reading.series()) {
      if (selector.accepts(each.key(), each.unit())) {
        scope.claim().grow(KeyText.cost(each.key()));
        all.merge(
            each.key(),
            new OverviewSeries(each.key(), each.unit(), null, each),
            OverviewSeries::later);
      }
      if (all.size() > scope.maxSeries()) {
        throw QueryException.badParameter(
            "series",
            "more than "
                + scope.maxSeries()
                + " series live or are in the journal (query.max-series); name the series wanted");
      }
    }
    List<OverviewSeries> sorted =
        all.values().stream()
            .map(each -> Map.entry(each.key().toString(), each)) // Not at each comparison
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::getValue)
            .toList();
    scope.claim().resize(scope.claim().bytes(), before + KeyText.SERIES_BYTES * sorted.size());
    return sorted;
  }

  private OverviewSeries later(OverviewSeries other) {
    return living != null || lastSeen().isAfter(other.lastSeen()) ? this : other;
  }

  boolean hasEnded() {
    return living == null;
  }

  /** When the last interval was merged; of an ended series when that ended, or later. */
  Instant lastSeen() {
    if (living != null) {
      return living.lastSeen();
    }
    return Instant.ofEpochMilli(past == null ? 0 : past.toMillis());
  }

  /** These together, which are read together and not added up. */
  static SeriesSelection selection(List<OverviewSeries> some) {
    List<Series> living = new ArrayList<>();
    List<PastSeries> past = new ArrayList<>();
    for (OverviewSeries each : some) {
      if (each.living != null) {
        living.add(each.living);
      }
      if (each.past != null) {
        past.add(each.past);
      }
    }
    return new SeriesSelection("series", living, past, some.get(0).unit());
  }
}
