package io.hdrsidecar.sidecar.selfmetrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.receive.ClientFigures;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientHealthCollectorTest {
  private static final long START = Instant.parse("2026-01-02T03:04:05Z").getEpochSecond();

  private final InstanceId one = InstanceId.random();
  private final InstanceId two = InstanceId.random();

  @Test
  void collect_ofSeveralClients_hasOneMetricPerFigure() {
    MetricSnapshots snapshots =
        collect(
            client(one, Labels.empty(), Map.of("sent_intervals_total", 5L, "series", 1L)),
            client(two, Labels.empty(), Map.of("sent_intervals_total", 7L)));

    assertThat(named(snapshots, "hdr_sidecar_client_series").getDataPoints()).hasSize(1);
    assertThat(named(snapshots, "hdr_sidecar_client_series")).isInstanceOf(GaugeSnapshot.class);
    assertThat(named(snapshots, "hdr_sidecar_client_sent_intervals"))
        .isInstanceOfSatisfying(
            CounterSnapshot.class,
            counter ->
                assertThat(counter.getDataPoints())
                    .extracting(point -> point.getLabels().get("client") + " " + point.getValue())
                    .containsExactlyInAnyOrder(one + " 5.0", two + " 7.0"));
  }

  @Test
  void collect_anotherClientSendsTheNameWithoutTotal_leavesTheCounterAsItIs() {
    MetricSnapshots snapshots =
        collect(
            client(one, Labels.empty(), Map.of("resent_intervals_total", 3L)),
            client(two, Labels.empty(), Map.of("resent_intervals", 4L, "instances", 5L)));

    assertThat(names(snapshots))
        .containsExactly(
            "hdr_sidecar_client",
            "hdr_sidecar_client_connected",
            "hdr_sidecar_client_resent_intervals");
    assertThat(snapshots.get(2)).isInstanceOf(CounterSnapshot.class);
    assertThat(snapshots.get(2).getDataPoints()).hasSize(1);
  }

  @Test
  void healthFigures_none_sharesAMetricNameWithAnother() {
    assertThat(Arrays.stream(ClientFigure.values()).map(ClientFigure::stem))
        .doesNotHaveDuplicates()
        .doesNotContain("info", "connected");
  }

  @Test
  void collect_ofCommonLabels_tellsWhoseClientItIs() {
    MetricSnapshots snapshots =
        collect(
            client(one, Labels.of("service", "shop", "client", "x"), Map.of()),
            client(two, Labels.empty(), Map.of()));

    assertThat(named(snapshots, "hdr_sidecar_client").getDataPoints())
        .extracting(point -> point.getLabels())
        .containsExactlyInAnyOrder(
            io.prometheus.metrics.model.snapshots.Labels.of(
                "client", one.toString(), "exported_client", "x", "service", "shop"),
            io.prometheus.metrics.model.snapshots.Labels.of("client", two.toString()));
  }

  @Test
  void collect_startTimeReported_isTheCreatedTimeOfItsCounters() {
    Map<String, Long> withStart = Map.of("reconnects_total", 1L, "start_time_seconds", START);
    long future = Instant.now().getEpochSecond() + 3600;
    Map<String, Long> wrong = Map.of("reconnects_total", 1L, "start_time_seconds", future);

    assertThat(reconnects(withStart).getCreatedTimestampMillis()).isEqualTo(START * 1000);
    assertThat(reconnects(Map.of("reconnects_total", 1L)).hasCreatedTimestamp()).isFalse();
    assertThat(reconnects(wrong).hasCreatedTimestamp()).isFalse();
  }

  private DataPointSnapshot reconnects(Map<String, Long> figures) {
    MetricSnapshots snapshots = collect(client(one, Labels.empty(), figures));
    return named(snapshots, "hdr_sidecar_client_reconnects").getDataPoints().get(0);
  }

  private static ClientFigures client(
      InstanceId instance, Labels commonLabels, Map<String, Long> figures) {
    return new ClientFigures(instance, commonLabels, figures, true, Instant.MAX);
  }

  private static MetricSnapshots collect(ClientFigures... clients) {
    return new ClientHealthCollector(() -> List.of(clients)).collect();
  }

  private static MetricSnapshot named(MetricSnapshots snapshots, String name) {
    return snapshots.stream()
        .filter(snapshot -> snapshot.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(MetricSnapshots snapshots) {
    return snapshots.stream().map(MetricSnapshot::getMetadata).map(m -> m.getName()).toList();
  }
}
