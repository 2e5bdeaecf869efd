package io.hdrsidecar.tests.promql;

import java.util.Map;
import java.util.TreeMap;

/**
 * What is expected of one set of labels.
 *
 * @param isCertain whether it must be in the answer, or may be
 */
record ExpectedRow(Map<String, String> labels, Interval value, boolean isCertain) {
  ExpectedRow with(Interval other) {
    return new ExpectedRow(labels, other, isCertain);
  }

  ExpectedRow with(Map<String, String> other) {
    return new ExpectedRow(other, value, isCertain);
  }

  /** Another number is no longer that of the metric. */
  ExpectedRow withoutName(Interval other) {
    Map<String, String> rest = new TreeMap<>(labels);
    rest.remove("__name__");
    return new ExpectedRow(rest, other, isCertain);
  }

  ExpectedRow uncertain() {
    return new ExpectedRow(labels, value, false);
  }
}
