package io.hdrsidecar.sidecar.selfmetrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientHealthCollectorTest {
  @Test
  void collect_ofSeveralClients_hasOneMetricPerFigure() {
    MetricSnapshots snapshots =
        collect(
            Map.of(
                "one", Map.of("sent_intervals_total", 5L, "pending_intervals", 1L),
                "two", Map.of("sent_intervals_total", 7L)));

    assertThat(names(snapshots))
        .containsExactly(
            "hdr_sidecar_client_pending_intervals", "hdr_sidecar_client_sent_intervals");
    assertThat(snapshots.get(0)).isInstanceOf(GaugeSnapshot.class);
    assertThat(snapshots.get(1)).isInstanceOf(CounterSnapshot.class);
    assertThat(snapshots.get(1).getDataPoints())
        .extracting(point -> point.getLabels().get("client"))
        .containsExactly("one", "two");
  }

  @Test
  void collect_ofNamesThatCannotBeMetrics_leavesThemOut() {
    MetricSnapshots snapshots =
        collect(
            Map.of(
                "one",
                Map.of(
                    "x", 1L,
                    "x_total", 2L,
                    "Bad Name", 3L,
                    "a_bucket", 4L,
                    "b_created", 5L,
                    "c_total_total", 6L,
                    "d_info", 7L,
                    "", 8L,
                    "_total", 9L,
                    "negative_total", -1L)));

    assertThat(names(snapshots))
        .containsExactly("hdr_sidecar_client_negative", "hdr_sidecar_client_x");
  }

  private static MetricSnapshots collect(Map<String, Map<String, Long>> clients) {
    return new ClientHealthCollector(() -> clients).collect();
  }

  private static List<String> names(MetricSnapshots snapshots) {
    return snapshots.stream().map(MetricSnapshot::getMetadata).map(m -> m.getName()).toList();
  }
}
