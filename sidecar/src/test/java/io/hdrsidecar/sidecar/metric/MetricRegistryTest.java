package io.hdrsidecar.sidecar.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import org.junit.jupiter.api.Test;

class MetricRegistryTest {
  private final MetricRegistry registry = new MetricRegistry();

  @Test
  void text_ofEachKind_isAPageOfPrometheus() {
    registry.add(Metric.counter("taken.bytes", "Bytes taken", () -> 7));
    registry.add(Metric.gauge("held", "Things held", () -> 3, "use", "b"));
    registry.add(Metric.gauge("held", "Things held", () -> 4, "use", "a"));
    registry.add(Metric.gauge("process.open.fds", "Files open", () -> 11));
    registry.summary("walk.seconds", "Walks", "to", "x").add(0.5);
    registry.summary("walk.seconds", "Walks", "to", "x").add(1);

    assertThat(registry.text())
        .isEqualTo(
            """
            # HELP hdr_sidecar_held Things held.
            # TYPE hdr_sidecar_held gauge
            hdr_sidecar_held{use="a"} 4.0
            hdr_sidecar_held{use="b"} 3.0
            # HELP hdr_sidecar_taken_bytes_total Bytes taken.
            # TYPE hdr_sidecar_taken_bytes_total counter
            hdr_sidecar_taken_bytes_total 7.0
            # HELP hdr_sidecar_walk_seconds Walks.
            # TYPE hdr_sidecar_walk_seconds summary
            hdr_sidecar_walk_seconds_count{to="x"} 2
            hdr_sidecar_walk_seconds_sum{to="x"} 1.5
            # HELP process_open_fds Files open.
            # TYPE process_open_fds gauge
            process_open_fds 11.0
            """);
  }

  @Test
  void counter_askedForAgain_isTheSame() {
    registry.counter("ended", "Ends", "reason", "slow").increment();
    registry.counter("ended", "Ends", "reason", "slow").increment();
    registry.counter("ended", "Ends", "reason", "many").increment();

    assertThat(registry.text())
        .contains("hdr_sidecar_ended_total{reason=\"slow\"} 2.0\n")
        .contains("hdr_sidecar_ended_total{reason=\"many\"} 1.0\n");
  }

  @Test
  void text_withWhatACollectorFinds_hasItUnderItsOwnName() {
    GaugeDataPointSnapshot one = GaugeDataPointSnapshot.builder().value(1).build();
    registry.add(
        () -> MetricSnapshots.of(GaugeSnapshot.builder().name("own").dataPoint(one).build()));

    assertThat(registry.text()).isEqualTo("# TYPE own gauge\nown 1.0\n");
  }
}
