package io.hdrsidecar.sidecar.expose;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;

/**
 * Types as the older text format may tell them: there, promtool refuses the label {@code quantile}
 * on anything that has a type and is no summary. Counters with that label are untyped in this
 * format, which has no created timestamps to lose, and are counters in OpenMetrics and protobuf.
 */
final class PlainTextTypes {
  private static final String QUANTILE = "quantile";
  private static final String TOTAL = "_total";

  private PlainTextTypes() {}

  /** The same metric, untyped where it must be. */
  static MetricSnapshot typed(MetricSnapshot snapshot) {
    boolean mustNot =
        snapshot instanceof CounterSnapshot counters
            && counters.getDataPoints().stream().anyMatch(p -> p.getLabels().contains(QUANTILE));
    return mustNot ? untyped((CounterSnapshot) snapshot) : snapshot;
  }

  private static UnknownSnapshot untyped(CounterSnapshot counters) {
    UnknownSnapshot.Builder untyped =
        UnknownSnapshot.builder()
            .name(counters.getMetadata().getPrometheusName() + TOTAL)
            .help(counters.getMetadata().getHelp());
    for (CounterDataPointSnapshot point : counters.getDataPoints()) {
      untyped.dataPoint(
          UnknownDataPointSnapshot.builder()
              .labels(point.getLabels())
              .value(point.getValue())
              .build());
    }
    return untyped.build();
  }
}
