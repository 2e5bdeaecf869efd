package io.hdrsidecar.sidecar.metric;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Metrics of one name: all of one kind, that of the one which was put first. Any thread. */
final class MetricFamily {
  private final String name;
  private final String help;
  private final long startMillis;
  private final Map<Labels, Metric> values = new ConcurrentHashMap<>();
  private final Map<Labels, Supplier<Amounts.CountAndSum>> summaries = new ConcurrentHashMap<>();

  /**
   * One without metrics.
   *
   * @param startMillis when counters were 0
   */
  MetricFamily(String name, String help, long startMillis) {
    this.name = name;
    this.help = help;
    this.startMillis = startMillis;
  }

  void put(Metric metric) {
    values.put(labels(metric.labels()), metric);
  }

  void put(Supplier<Amounts.CountAndSum> totals, List<String> labels) {
    summaries.put(labels(labels), totals);
  }

  private static Labels labels(List<String> labels) {
    return Labels.of(labels.toArray(String[]::new));
  }

  /** Not yet while the first one is being put. */
  boolean hasMetrics() {
    return !values.isEmpty() || !summaries.isEmpty();
  }

  /** What they are now, if there are any. */
  MetricSnapshot snapshot() {
    if (!summaries.isEmpty()) {
      return summary();
    }
    return values.values().iterator().next().isCounter() ? counter() : gauge();
  }

  private CounterSnapshot counter() {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    values.forEach(
        (labels, metric) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .labels(labels)
                    .value(metric.value().getAsDouble())
                    .createdTimestampMillis(startMillis)
                    .build()));
    return counter.build();
  }

  private GaugeSnapshot gauge() {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    values.forEach(
        (labels, metric) ->
            gauge.dataPoint(
                GaugeDataPointSnapshot.builder()
                    .labels(labels)
                    .value(metric.value().getAsDouble())
                    .build()));
    return gauge.build();
  }

  private SummarySnapshot summary() {
    SummarySnapshot.Builder summary = SummarySnapshot.builder().name(name).help(help);
    summaries.forEach(
        (labels, totals) -> {
          Amounts.CountAndSum now = totals.get();
          summary.dataPoint(
              SummaryDataPointSnapshot.builder()
                  .count(now.count())
                  .sum(now.sum())
                  .labels(labels)
                  .createdTimestampMillis(startMillis)
                  .build());
        });
    return summary.build();
  }
}
