package io.hdrsidecar.sidecar.otlp;

import static io.hdrsidecar.sidecar.otlp.NumberRequests.at;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.counter;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.gauge;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.number;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.page;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.sum;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.text;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.upDown;
import static io.hdrsidecar.sidecar.otlp.NumberRequests.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.hdrsidecar.sidecar.plain.PlainName;
import io.hdrsidecar.sidecar.plain.PlainSource;
import io.hdrsidecar.sidecar.plain.RefusedPlainException;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gauges, names of all that is shown as it is, and whose a name is. */
final class GaugePointsTest {
  private final TakenRequests taken = NumberRequests.keeping(10);

  @Test
  void take_gauges_showsTheLast() throws Exception {
    taken.take(
        gauge(
            "a",
            "",
            whole(0, 10, 5),
            number(0, 20, -0.25),
            whole(0, 10, 3).addAttributes(TakenRequests.attribute("x.y", "z"))));

    assertThat(page(taken)).containsExactly("a -0.25", "a{x_y=\"z\"} 3.0");
    assertThat(text(taken))
        .contains("# TYPE a gauge\n")
        .contains("# HELP a Gauge that came by OTLP.\n");
    assertThat(taken.keys()).as("series").isEqualTo("[]");
  }

  @Test
  void take_anOlderPoint_doesNotReplaceANewer() throws Exception {
    taken.take(gauge("a", "", whole(0, 20, 5)), upDown("b", false, whole(1, 20, 6)));
    Outcome late = taken.take(gauge("a", "", whole(0, 10, 1)), upDown("b", false, whole(1, 10, 1)));

    assertThat(page(taken)).containsExactly("a 5.0", "b 6.0");
    assertThat(late.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "out_of_order")).isEqualTo(2);
  }

  /** It would keep all others out until then. */
  @Test
  void take_aPointOfTheFuture_isOfNow() throws Exception {
    taken.take(gauge("a", "", whole(0, 1_000_000, 5)));
    taken.nowMillis += 1000;
    taken.take(gauge("a", "", whole(0, 61, 6)));

    assertThat(page(taken)).containsExactly("a 6.0");
  }

  @Test
  void take_noRecordedValue_endsAGauge_unlessANewerOneHasCome() throws Exception {
    taken.take(gauge("a", "", whole(0, 10, 5)), gauge("b", "", whole(0, 30, 5)));
    Outcome none =
        taken.take(gauge("a", "", at(0, 20).setFlags(1)), gauge("b", "", at(0, 20).setFlags(1)));

    assertThat(none.rejected()).isZero();
    assertThat(taken.metric("otlp.not_kept.points", "no_recorded_value")).isEqualTo(2);
    assertThat(page(taken)).containsExactly("b 5.0");
    assertThat(taken.plain.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"NaN,NaN", "Infinity,+Inf", "-Infinity,-Inf"})
  void take_gaugesThatAreNotFinite_areShownAsPrometheusWritesThem(double sent, String shown)
      throws Exception {
    taken.take(gauge("a", "", number(0, 10, sent)));

    assertThat(page(taken)).containsExactly("a " + shown);
  }

  /** By the rules, and with the examples, of {@code otlptranslator}'s documents and tests. */
  @ParameterizedTest
  @CsvSource({
    "counter, requests, '', requests_total",
    "counter, requests_total, '', requests_total",
    "counter, total.requests.count, 1, requests_count_total",
    "counter, items, 1, items_total",
    "counter, http.client.duration, ms, http_client_duration_milliseconds_total",
    "counter, jvm.cpu.time, s, jvm_cpu_time_seconds_total",
    "counter, cpu_seconds_total, s, cpu_seconds_total",
    "counter, system.network.io, By, system_network_io_bytes_total",
    "counter, hw.errors, {errors}, hw_errors_total",
    "counter, requests, 1/s, requests_per_second_total",
    "gauge, cpu_usage, 1, cpu_usage_ratio",
    "gauge, cpu_usage_ratio, 1, cpu_usage_ratio",
    "gauge, throughput, By/s, throughput_bytes_per_second",
    "gauge, network_bytes, By/s, network_bytes_per_second",
    "gauge, custom_metric, By/{custom}, custom_metric_bytes",
    "gauge, custom_metric, unit@with#special/chars, custom_metric_unit_with_special_per_chars",
    "gauge, hw.temperature, Cel, hw_temperature_celsius",
    "gauge, uptime, d, uptime_days",
    "gauge, 2xx, '', _2xx",
    "sum, active_connections, '', active_connections",
    "sum, queue.share, 1, queue_share",
    "sum, jvm.memory.used, By, jvm_memory_used_bytes",
  })
  void take_anything_isNamedAsPrometheusNamesIt(
      String kind, String name, String unit, String expected) throws Exception {
    Metric metric =
        kind.equals("gauge")
            ? gauge(name, unit, number(0, 10, 1500))
            : sum(name, unit, kind.equals("counter"), true, number(1, 10, 1500));
    taken.take(metric);

    assertThat(page(taken))
        .as("in the unit in which it was sent")
        .containsExactly(expected + " 1500.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.total", "a_bucket", "a.info", "a_created", "--"})
  void take_aNameThatPrometheusGivesAMeaning_isRejected(String name) throws Exception {
    Outcome refused = taken.take(gauge(name, "", whole(0, 10, 1)));

    assertThat(refused.rejected()).isEqualTo(1);
    assertThat(taken.metric("otlp.not_kept.points", "bad_name")).isEqualTo(1);
    assertThat(page(taken)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a_seconds", "a_seconds_count", "a_window_seconds"})
  void take_theNameOfASeries_isNotShownBesideIt(String name) throws Exception {
    taken.take(gauge(name, "", whole(0, 10, 1)));
    assertThat(page(taken)).containsExactly(name + " 1.0");

    taken.take(TakenRequests.explicit("a", true, TakenRequests.bounded(1, 2, 1)));
    assertThat(page(taken)).isEmpty();
    taken.plain.expire(taken.nowMillis);
    Outcome refused = taken.take(gauge(name, "", whole(0, 20, 2)));

    assertThat(refused.problem())
        .isEqualTo("plain_conflict: metric " + name + ": name is taken: " + name);
    assertThat(taken.metric("otlp.not_kept.points", "plain_conflict")).isEqualTo(1);
  }

  @Test
  void take_oneNameOfTwoTypesOrOneOfOurs_isAConflict() throws Exception {
    taken.take(counter("a", true, whole(1, 10, 1)));
    taken.take(gauge("a", "", whole(0, 10, 5)), gauge("hdr.b", "", whole(0, 10, 5)));

    assertThat(page(taken)).containsExactly("a_total 1.0");
    assertThat(taken.metric("otlp.not_kept.points", "plain_conflict")).isEqualTo(2);
  }

  /** Two families of one name would make Prometheus refuse the page. */
  @Test
  void take_theNameOfAnotherSource_isAConflict_inBothDirections() throws Exception {
    PlainSource other = taken.families.source("StatsD", 10, HeapClaim.unbounded());
    other.find(name("a", false), taken.nowMillis).set(1, 0, taken.nowMillis);
    Outcome refused = taken.take(gauge("a", "", whole(0, 10, 5)), gauge("b", "", whole(0, 10, 5)));

    assertThat(refused.problem())
        .isEqualTo("plain_conflict: metric a: name is that of a metric that comes by StatsD: a");
    assertThatExceptionOfType(RefusedPlainException.class)
        .isThrownBy(() -> other.find(name("b", false), taken.nowMillis))
        .withMessage("name is that of a metric that comes by OTLP: b")
        .matches(e -> e.reason() == RefusedPlainException.Reason.CONFLICT);
    assertThat(page(taken)).containsExactly("a 1.0", "b 5.0");

    taken.nowMillis += Duration.ofMinutes(1).toMillis();
    other.expire(taken.nowMillis);
    assertThat(page(taken)).as("each ends its own").containsExactly("b 5.0");
    taken.take(gauge("a", "", whole(0, 10, 5)));
    assertThat(page(taken)).containsExactly("a 5.0", "b 5.0");
  }

  private static PlainName name(String name, boolean isCounter) {
    return new PlainName(new SeriesKey(name, Labels.of()), isCounter, "", 1);
  }

  @Test
  void expire_whatNobodyHasSentForSoLong_ends_andBeginsAtZero() throws Exception {
    taken.take(counter("a", true, whole(1, 10, 5)), gauge("b", "", whole(0, 10, 5)));
    taken.nowMillis += Duration.ofSeconds(59).toMillis();
    taken.plain.expire(taken.nowMillis);
    assertThat(page(taken)).hasSize(2);

    taken.nowMillis += Duration.ofSeconds(1).toMillis();
    taken.plain.expire(taken.nowMillis);
    assertThat(page(taken)).isEmpty();
    taken.take(counter("a", true, whole(10, 20, 2)));
    assertThat(page(taken)).containsExactly("a_total 2.0");
  }

  /** Texts for whole numbers of 64 bits, and names of enumerations, as OTLP's mapping has them. */
  @Test
  void take_json_readsSumsAndGauges() throws Exception {
    taken.takeJson(
        """
        {"resourceMetrics": [{"scopeMetrics": [{"metrics": [
          {"name": "a", "unit": "By", "description": "Of a.", "sum": {
            "isMonotonic": true, "aggregationTemporality": 2, "dataPoints": [
              {"asInt": "5", "startTimeUnixNano": "1700000001000000000",
               "timeUnixNano": "1700000010000000000",
               "attributes": [{"key": "x", "value": {"stringValue": "y"}}]},
              {"asInt": 7, "startTimeUnixNano": "1700000001000000000",
               "timeUnixNano": "1700000020000000000", "exemplars": [{"asInt": "7"}],
               "attributes": [{"key": "x", "value": {"stringValue": "y"}}]}]}},
          {"name": "b", "sum": {
            "aggregationTemporality": "AGGREGATION_TEMPORALITY_DELTA", "dataPoints": [
              {"asDouble": 0.5}, {"asDouble": -2}]}},
          {"name": "c", "gauge": {"dataPoints": [
              {"asDouble": "NaN"}, {"asInt": "-3"}]}},
          {"name": "d", "gauge": {"dataPoints": [{"asInt": "1"}, {"flags": 1}]}},
          {"name": "e", "summary": {"dataPoints": [{"count": "1"}]}}
        ]}]}]}
        """);

    assertThat(page(taken)).containsExactly("a_bytes_total{x=\"y\"} 7.0", "b -1.5", "c -3.0");
    assertThat(text(taken)).contains("# HELP a_bytes_total Of a.\n");
    assertThat(taken.metric("otlp.not_kept.points", "summary")).isEqualTo(1);
  }

  @Test
  void take_whereNoneAreKept_rejectsThemByKind() throws Exception {
    TakenRequests off = new TakenRequests();
    Outcome outcome =
        off.take(
            counter("a", true, whole(1, 2, 1), whole(2, 3, -1)), gauge("b", "", whole(0, 10, 1)));

    assertThat(outcome.rejected()).isEqualTo(3);
    assertThat(outcome.problem()).isEqualTo("sum: metric a: is a sum");
    assertThat(off.metric("otlp.not_kept.points", "sum")).isEqualTo(2);
    assertThat(off.metric("otlp.not_kept.points", "gauge")).isEqualTo(1);
    assertThat(off.metric("otlp.points", "")).isEqualTo(3);
    assertThat(page(off)).isEmpty();
    assertThat(off.share.heldBytes()).isZero();
  }

  @Test
  void take_everything_tellsOnlyWhatIsRejected() throws Exception {
    Outcome outcome =
        taken.take(
            counter("a", true, whole(1, 2, 1)),
            gauge("b", "", whole(0, 10, 1)),
            gauge("a", "", whole(0, 10, 1)));

    assertThat(outcome.rejected()).isEqualTo(1);
    assertThat(outcome.problem())
        .isEqualTo("plain_conflict: metric a: counter and gauge cannot share the name a");
  }
}
