package io.hdrsidecar.fleet.node;

import io.hdrsidecar.sidecar.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;

/** What Kafka's clients know about this node, in our names. */
final class NodeMetrics {
  private static final String LAG = "records-lag";
  private static final String OF_FETCHES = "consumer-fetch-manager-metrics";
  private static final String RESTORING = "restore-consumer";

  private NodeMetrics() {}

  static List<Metric> of(
      Supplier<Map<MetricName, ? extends org.apache.kafka.common.Metric>> kafka,
      int partitions,
      Restoring restoring,
      Standbys standbys,
      FleetView view) {
    return List.of(
        Metric.gauge(
            "fleet.topic.partitions",
            "Partitions of the topic, each of which one node of the fleet should merge",
            () -> partitions),
        Metric.gauge(
            "fleet.lag.records",
            "Records of the topics that wait to be merged here",
            () -> lag(kafka.get(), /* isRestoring= */ false)),
        Metric.gauge(
            "fleet.restoring.stores",
            "Stores of partitions that are restored from the brokers at the moment",
            restoring::stores),
        Metric.gauge(
            "fleet.restoring.records",
            "Records that stores which are restored lack still",
            restoring::remaining),
        Metric.gauge(
            "fleet.standby.stores",
            "Stores of other nodes' partitions that are followed here, so that they can be taken"
                + " over",
            standbys::stores),
        Metric.gauge(
            "fleet.standby.lag.records",
            "Records that stores read from the brokers lack here, those of standbys and those that"
                + " are restored",
            () -> lag(kafka.get(), /* isRestoring= */ true)),
        Metric.gauge(
            "fleet.hidden.series",
            "Series that are not shown, as there is no room or another has their name and labels;"
                + " they are whole in the stores",
            view::hiddenSeries));
  }

  private static long lag(
      Map<MetricName, ? extends org.apache.kafka.common.Metric> kafka, boolean isRestoring) {
    double records = 0;
    for (Map.Entry<MetricName, ? extends org.apache.kafka.common.Metric> each : kafka.entrySet()) {
      MetricName name = each.getKey();
      if (name.name().equals(LAG)
          && name.group().equals(OF_FETCHES)
          && name.tags().getOrDefault("client-id", "").contains(RESTORING) == isRestoring
          && each.getValue().metricValue() instanceof Double lag
          && lag > 0) {
        records += lag;
      }
    }
    return (long) records;
  }
}
