package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.Collection;

/**
 * What decides with which others a series may be added up; outlives the series.
 *
 * @param unit unit of the values
 * @param corrected value of the label, empty without it
 * @param kind which time of a call it is; empty if it is none of those that a client records of one
 *     call
 */
public record SeriesSort(Unit unit, String corrected, String kind) {
  /** The sort of this series. */
  public static SeriesSort of(Series series) {
    String kind = series.key().labels().get(SeriesMixture.KIND);
    return new SeriesSort(
        series.unit(),
        series.key().labels().get(SeriesMixture.CORRECTED),
        SeriesMixture.KINDS.contains(kind) ? kind : "");
  }

  /** Whether series of all these sorts may be added up, as {@link SeriesMixture} judges. */
  public static boolean mayJoin(Collection<SeriesSort> sorts) {
    return sorts.stream().map(SeriesSort::unit).distinct().count() <= 1
        && sorts.stream().map(SeriesSort::corrected).distinct().count() <= 1
        && sorts.stream().map(SeriesSort::kind).filter(k -> !k.isEmpty()).distinct().count() <= 1;
  }
}
