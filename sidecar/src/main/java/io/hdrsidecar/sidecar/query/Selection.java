package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The series that a selector matches, which may be added up.
 *
 * @param parameter that had the selector
 * @param series at least one, all of one unit, no mixture
 * @param unit of their values
 */
record Selection(String parameter, List<Series> series, Unit unit) {
  /**
   * Selects.
   *
   * @throws ApiException when nothing matches, or what must not be added up
   */
  static Selection of(String parameter, Selector selector, SeriesStore store, int maxSeries)
      throws ApiException {
    List<Series> series = selector.select(parameter, store, maxSeries);
    if (series.isEmpty()) {
      throw new ApiException(404, "not_found", parameter + ": no series matches the selector");
    }
    return checked(parameter, series);
  }

  /**
   * Of these series.
   *
   * @param series at least one
   * @throws ApiException when they must not be added up
   */
  static Selection checked(String parameter, List<Series> series) throws ApiException {
    Unit unit = series.get(0).unit();
    if (series.stream().anyMatch(s -> s.unit() != unit)) {
      throw ApiException.badParameter(
          parameter, "matches series of different units: " + units(series));
    }
    SeriesMixture.refuse(parameter, series);
    return new Selection(parameter, series, unit);
  }

  private static String units(List<Series> series) {
    return series.stream()
        .map(s -> s.key().name() + " in " + s.unit().symbol())
        .distinct()
        .limit(10)
        .collect(Collectors.joining(", "));
  }

  /** Names and labels. */
  JsonArray names() {
    JsonArray names = new JsonArray();
    series.forEach(each -> names.add(each.key().toString()));
    return names;
  }
}
