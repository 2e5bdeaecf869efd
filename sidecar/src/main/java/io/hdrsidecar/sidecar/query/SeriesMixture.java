package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Refuses to add up series that count the same calls twice, each time differently: raw values and
 * corrected ones, or response, service and wait time. Their sum has the percentiles of nothing.
 */
public final class SeriesMixture {
  static final String CORRECTED = "corrected";
  static final String KIND = "kind";

  /** The labels that tell apart what must not be added up. */
  public static final Set<String> LABELS = Set.of(CORRECTED, KIND);

  /** Times of one call, of which a client records several. */
  static final Set<String> KINDS = Set.of("response", "service", "wait");

  private SeriesMixture() {}

  /**
   * Throws if the series must not be added up, naming the label that tells them apart.
   *
   * @throws QueryException of the parameter {@code series}
   */
  public static void refuse(List<Series> series) throws QueryException {
    refuse("series", series.stream().map(Series::key).toList());
  }

  /** The same, of another parameter. */
  public static void refuse(String parameter, List<SeriesKey> series) throws QueryException {
    refuse(parameter, label -> values(series, label));
  }

  /**
   * The same of whatever has labels.
   *
   * @param valuesOf all values that a label has among them, the empty one for those without it
   */
  public static void refuse(String parameter, Function<String, Set<String>> valuesOf)
      throws QueryException {
    Set<String> corrections = valuesOf.apply(CORRECTED);
    if (corrections.size() > 1) {
      throw mixed(parameter, CORRECTED, corrections, "raw and corrected values");
    }
    Set<String> kinds = new TreeSet<>(valuesOf.apply(KIND));
    kinds.retainAll(KINDS); // series of no kind, or of one of their own, make the others no better
    if (kinds.size() > 1) {
      throw mixed(parameter, KIND, kinds, "different times of the same calls");
    }
  }

  /** All values of the label, the empty one for series without it. */
  private static Set<String> values(List<SeriesKey> series, String label) {
    return series.stream()
        .map(each -> each.labels().get(label))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static QueryException mixed(
      String parameter, String label, Set<String> values, String what) {
    String choices =
        values.stream()
            .limit(10)
            .map(value -> label + "=\"" + value + "\"")
            .collect(Collectors.joining(" or "));
    return QueryException.badParameter(
        parameter,
        "matches series that differ in the label "
            + label
            + ", "
            + what
            + ", which must not be added up; add to the selector: "
            + choices);
  }
}
