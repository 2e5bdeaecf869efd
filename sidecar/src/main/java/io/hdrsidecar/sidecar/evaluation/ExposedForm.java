package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.families.MetricNames;

/** In which metrics Prometheus sees a series. */
enum ExposedForm {
  /** The native histogram. */
  NATIVE(""),
  /** Classic buckets, each a series with a label {@code le}. */
  BUCKET("_bucket"),
  COUNT("_count"),
  SUM("_sum"),
  /** Gauges of the windows, each a series with labels {@code quantile} and {@code window}. */
  WINDOW("");

  private final String suffix;

  ExposedForm(String suffix) {
    this.suffix = suffix;
  }

  String metric(MetricNames names) {
    return this == WINDOW ? names.window() : names.cumulative() + suffix;
  }

  /** Whether the values are counts since start, of which there are rates. */
  boolean isCumulative() {
    return this != WINDOW;
  }
}
