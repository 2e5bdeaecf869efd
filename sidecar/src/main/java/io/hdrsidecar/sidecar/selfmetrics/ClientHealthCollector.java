package io.hdrsidecar.sidecar.selfmetrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What clients report about themselves, as {@code hdr_sidecar_client_*} with a label for the
 * client. Figures ending in {@code _total} are counters, others gauges.
 *
 * <p>Names come from outside: one that cannot be a metric, or would clash with another, is left
 * out.
 */
final class ClientHealthCollector implements MultiCollector {
  private static final String PREFIX = "hdr_sidecar_client_";
  private static final String TOTAL = "_total";

  private final Supplier<Map<String, Map<String, Long>>> clients;

  ClientHealthCollector(Supplier<Map<String, Map<String, Long>>> clients) {
    this.clients = clients;
  }

  @Override
  public MetricSnapshots collect() {
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    byFigure()
        .forEach(
            (figure, byClient) -> {
              if (isFit(figure) && !snapshots.containsMetricName(PREFIX + stem(figure))) {
                snapshots.metricSnapshot(snapshot(figure, byClient));
              }
            });
    return snapshots.build();
  }

  private Map<String, Map<String, Long>> byFigure() {
    Map<String, Map<String, Long>> byFigure = new TreeMap<>();
    clients
        .get()
        .forEach(
            (client, figures) ->
                figures.forEach(
                    (figure, value) ->
                        byFigure.computeIfAbsent(figure, f -> new TreeMap<>()).put(client, value)));
    return byFigure;
  }

  /** The endings have a meaning of their own in Prometheus' formats. */
  private static boolean isFit(String figure) {
    return figure.matches("[a-z][a-z0-9_]*")
        && !stem(figure).matches(".*_(total|created|bucket|info|count|sum)");
  }

  private static String stem(String figure) {
    return figure.endsWith(TOTAL) ? figure.substring(0, figure.length() - TOTAL.length()) : figure;
  }

  private static MetricSnapshot snapshot(String figure, Map<String, Long> byClient) {
    String name = PREFIX + stem(figure);
    String help = "The clients' own figure " + figure + ", as last reported.";
    if (figure.endsWith(TOTAL)) {
      CounterSnapshot.Builder counters = CounterSnapshot.builder().name(name).help(help);
      byClient.forEach(
          (client, value) ->
              counters.dataPoint(
                  CounterDataPointSnapshot.builder()
                      .labels(Labels.of("client", client))
                      .value((double) Math.max(value, 0))
                      .build()));
      return counters.build();
    }
    GaugeSnapshot.Builder gauges = GaugeSnapshot.builder().name(name).help(help);
    byClient.forEach(
        (client, value) ->
            gauges.dataPoint(
                GaugeDataPointSnapshot.builder()
                    .labels(Labels.of("client", client))
                    .value((double) value)
                    .build()));
    return gauges.build();
  }
}
