package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The series that a selector matches, which may be added up.
 *
 * @param parameter that had the selector
 * @param series those that live
 * @param past those of which there may be a past outside of memory, all that live among them;
 *     together with the living at least one
 * @param unit of the values of all, which are no mixture
 */
public record SeriesSelection(
    String parameter, List<Series> series, List<PastSeries> past, Unit unit) {
  /** Of living series, without a past outside of memory. */
  public SeriesSelection(String parameter, List<Series> series, Unit unit) {
    this(parameter, series, List.of(), unit);
  }

  /**
   * Selects among the series that live.
   *
   * @throws QueryException when nothing matches, or what must not be added up
   */
  public static SeriesSelection of(String parameter, Selector selector, QueryScope scope)
      throws QueryException {
    return of(parameter, scope.select(parameter, selector), List.of());
  }

  /**
   * Of these series, which live.
   *
   * @param series at least one
   * @throws QueryException when they must not be added up
   */
  public static SeriesSelection checked(String parameter, List<Series> series)
      throws QueryException {
    return of(parameter, series, List.of());
  }

  /**
   * Selects among the series of which there is a past, beside those that live.
   *
   * @param living all that the selector matches
   * @throws QueryException when nothing matches, or what must not be added up
   */
  public static SeriesSelection of(
      String parameter,
      Selector selector,
      List<Series> living,
      PastReading reading,
      QueryScope scope)
      throws QueryException {
    return of(parameter, living, past(parameter, selector, living, reading, scope));
  }

  /**
   * A living series has the past of its name and labels, as far as that had its unit: another began
   * under the same name when the first had ended. It is asked for whether the reading lists it or
   * not: a list has an end, and what memory leaves to the journal must be looked for there.
   */
  private static List<PastSeries> past(
      String parameter,
      Selector selector,
      List<Series> living,
      PastReading reading,
      QueryScope scope)
      throws QueryException {
    List<PastSeries> past = new ArrayList<>();
    Map<SeriesKey, Unit> units = new HashMap<>();
    for (Series each : living) {
      units.put(each.key(), each.unit());
      past.add(PastSeries.of(each.key(), each.unit()));
    }
    Set<SeriesKey> keys = new HashSet<>(units.keySet());
    for (PastSeries each : reading.series()) {
      if (!units.containsKey(each.key()) && selector.accepts(each.key(), each.unit())) {
        scope.claim().grow(KeyText.SERIES_BYTES);
        past.add(each);
        keys.add(each.key());
      }
    }
    if (keys.size() > scope.maxSeries()) {
      throw QueryException.badParameter(
          parameter,
          "matches more than "
              + scope.maxSeries()
              + " series that live or are in the journal (query.max-series); name the series"
              + " wanted");
    }
    past.sort(Comparator.comparing(each -> each.key().toString()));
    return past;
  }

  private static SeriesSelection of(String parameter, List<Series> living, List<PastSeries> past)
      throws QueryException {
    if (living.isEmpty() && past.isEmpty()) {
      throw QueryException.notFound(parameter, "no series matches the selector");
    }
    Unit unit = living.isEmpty() ? past.get(0).unit() : living.get(0).unit();
    SeriesSelection selection = new SeriesSelection(parameter, living, past, unit);
    if (selection.named().anyMatch(each -> each.unit() != unit)) {
      throw QueryException.badParameter(
          parameter, "matches series of different units: " + units(selection));
    }
    SeriesMixture.refuse(parameter, selection.keys());
    return selection;
  }

  private record Named(SeriesKey key, Unit unit) {}

  private Stream<Named> named() {
    return Stream.concat(
        series.stream().map(each -> new Named(each.key(), each.unit())),
        past.stream().map(each -> new Named(each.key(), each.unit())));
  }

  private static String units(SeriesSelection selection) {
    return selection
        .named()
        .map(each -> each.key().name() + " in " + each.unit().symbol())
        .distinct()
        .limit(10)
        .collect(Collectors.joining(", "));
  }

  /** Names and labels, each once, in their order. */
  public List<SeriesKey> keys() {
    return named()
        .map(Named::key)
        .distinct()
        .sorted(Comparator.comparing(SeriesKey::toString))
        .toList();
  }
}
