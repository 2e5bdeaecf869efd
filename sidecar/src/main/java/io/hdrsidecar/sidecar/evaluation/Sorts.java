package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.query.SeriesMixture;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Of which sorts the series are that an element was made of, whatever labels are left of theirs:
 * raw or corrected, and which time of a call. Immutable.
 *
 * @param byLabel what the labels say that tell sorts apart, the empty text for those without
 */
record Sorts(Map<String, Set<String>> byLabel) {
  /** Of what counts no calls. */
  static final Sorts NONE = new Sorts(Map.of());

  static Sorts of(SeriesKey series) {
    Map<String, Set<String>> byLabel = new HashMap<>();
    for (String label : SeriesMixture.LABELS) {
      byLabel.put(label, Set.of(series.labels().get(label)));
    }
    return new Sorts(byLabel);
  }

  /** Those of all of them. */
  static Sorts of(Collection<Element> elements) {
    return elements.stream().map(Element::sorts).reduce(NONE, Sorts::and);
  }

  Sorts and(Sorts other) {
    if (equals(other) || other.equals(NONE)) {
      return this;
    }
    Map<String, Set<String>> all = new HashMap<>();
    for (String label : SeriesMixture.LABELS) {
      Set<String> values = new TreeSet<>(of(label));
      values.addAll(other.of(label));
      all.put(label, values);
    }
    return new Sorts(all);
  }

  /** What a label says of them. */
  Set<String> of(String label) {
    return byLabel.getOrDefault(label, Set.of());
  }
}
