package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What holds of the elements of every vector. */
final class Elements {
  private Elements() {}

  /** Refuses two elements with the same labels. */
  static void requireDistinct(List<Element> elements) throws QueryException {
    Set<MetricLabels> seen = new HashSet<>();
    for (Element each : elements) {
      if (!seen.add(each.labels())) {
        throw QueryException.unsupported(
            "vector cannot contain metrics with the same labelset: " + each.labels());
      }
    }
  }
}
