package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The join of all series a query matches: counts add, percentiles are of the whole.
 *
 * @param series at least one, all of one unit
 * @param unit unit of the values
 * @param distribution what all of them counted
 */
record SeriesJoin(List<Series> series, Unit unit, Distribution distribution) {
  /** Reads what matches, each series as of one moment. */
  static SeriesJoin of(HistogramQuery query, SeriesStore store, int maxSeries) throws ApiException {
    List<Series> series = query.selector().select(store, maxSeries);
    if (series.isEmpty()) {
      throw new ApiException(404, "not_found", "series: no series matches the selector");
    }
    Unit unit = series.get(0).unit();
    if (series.stream().anyMatch(s -> s.unit() != unit)) {
      throw ApiException.badParameter(
          "series", "matches series of different units: " + units(series));
    }
    SeriesMixture.refuse(series);
    Distribution joined = new Distribution();
    Distribution one = new Distribution();
    for (Series each : series) {
      if (query.windowIndex() == HistogramQuery.TOTAL) {
        each.readTotal(one);
      } else {
        each.readWindow(query.windowIndex(), one);
      }
      joined.add(one);
    }
    return new SeriesJoin(series, unit, joined);
  }

  private static String units(List<Series> series) {
    return series.stream()
        .map(s -> s.key().name() + " in " + s.unit().symbol())
        .distinct()
        .limit(10)
        .collect(Collectors.joining(", "));
  }
}
