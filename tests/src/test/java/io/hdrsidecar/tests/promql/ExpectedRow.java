package io.hdrsidecar.tests.promql;

import java.util.Map;

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

  ExpectedRow uncertain() {
    return new ExpectedRow(labels, value, false);
  }
}
