package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Prometheus sees what the API says. */
@RequiresDocker
final class PrometheusIT {
  /** No quantile asked for times this is a whole number, so it is clear which value is meant. */
  private static final int VALUES = 49_999;

  /**
   * A native histogram of schema 3 says in which bucket the value lies, whose upper edge is 2 to
   * the 1/8 times its lower one; where in the bucket is Prometheus' guess.
   */
  private static final double BOUND = Math.pow(2, 1 / 8.0);

  private static final double NANOS_PER_SECOND = 1e9;

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @RegisterExtension final Processes processes = new Processes();

  private SidecarProcess sidecar;
  private PrometheusServer prometheus;

  /** The two series of the demo, with numbers that then stand still. */
  @BeforeEach
  void recordAndScrape() throws Exception {
    sidecar = processes.sidecar();
    prometheus = PrometheusServer.scraping(sidecar.httpPort());
    HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build());
    record(client.recorder("demo_call", Labels.of("kind", "service")), 1);
    record(client.recorder("demo_call", Labels.of("kind", "response")), 4);
    traced(client);
    assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
  }

  /** Log-normal around that many milliseconds. */
  private static void record(LatencyRecorder recorder, double millis) {
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < VALUES; i++) {
      recorder.record((long) (millis * 1e6 * Math.exp(random.nextGaussian())));
    }
  }

  private static void traced(HdrSidecarClient client) {
    LatencyRecorder recorder = client.recorder("traced_call", Labels.empty());
    recorder.record(3_000_000, "quicktrace");
    recorder.record(30_000_000, TRACE, SPAN);
  }

  @AfterEach
  void stopPrometheus() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @ParameterizedTest(name = "kind={0}")
  @ValueSource(strings = {"service", "response"})
  void nativeHistogram_queriedInPromQl_isWhatTheApiSays(String kind) throws Exception {
    String selector = "demo_call{kind=\"" + kind + "\"}";
    String metric = "demo_call_seconds{kind=\"" + kind + "\"}";
    JsonObject total = sidecar.total(selector, "&percentiles=50,90,99,99.9");

    Eventually.holds(
        () ->
            assertThat(prometheus.value("histogram_count(" + metric + ")"))
                .isEqualTo(total.getDouble("count"))
                .isEqualTo(VALUES));
    assertThat(prometheus.value("histogram_sum(" + metric + ")"))
        .isEqualTo(total.getLong("sum") / NANOS_PER_SECOND);
    for (Object each : total.getJsonArray("percentiles")) {
      JsonObject percentile = (JsonObject) each;
      double quantile = percentile.getDouble("percentile") / 100;
      double exact = percentile.getLong("value") / NANOS_PER_SECOND;
      double estimate = prometheus.value("histogram_quantile(" + quantile + ", " + metric + ")");
      assertThat(estimate / exact).as("quantile %s", quantile).isBetween(1 / BOUND, BOUND);
    }
  }

  @ParameterizedTest(name = "kind={0}")
  @ValueSource(strings = {"service", "response"})
  void gauges_atRest_areThePercentilesOfTheWindow(String kind) throws Exception {
    String metric = "demo_call_window_seconds{kind=\"" + kind + "\",window=\"1m\"}";
    Eventually.holds(() -> assertThat(prometheus.result(metric)).hasSize(6));

    JsonArray gauges = prometheus.result(metric);
    for (Object each : gauges) {
      JsonObject gauge = (JsonObject) each;
      double quantile = Double.parseDouble(gauge.getJsonObject("metric").getString("quantile"));
      JsonObject window =
          sidecar.histogram(
              "demo_call{kind=\"" + kind + "\"}",
              "&window=1m&percentiles="
                  + BigDecimal.valueOf(quantile).movePointRight(2).toPlainString());
      long value =
          quantile == 1
              ? window.getLong("max")
              : window.getJsonArray("percentiles").getJsonObject(0).getLong("value");
      assertThat(Double.parseDouble(gauge.getJsonArray("value").getString(1)))
          .as("quantile %s", quantile)
          .isEqualTo(value / NANOS_PER_SECOND);
    }
  }

  @Test
  void exemplar_ofTheSlowestValue_isFoundByPrometheus() throws Exception {
    Eventually.holds(() -> assertThat(prometheus.exemplars("traced_call_seconds")).isNotEmpty());

    JsonObject found =
        prometheus
            .exemplars("traced_call_seconds")
            .getJsonObject(0)
            .getJsonArray("exemplars")
            .getJsonObject(0);
    assertThat(found.getJsonObject("labels").getMap())
        .containsEntry("trace_id", TRACE)
        .containsEntry("span_id", SPAN);
    assertThat(Double.parseDouble(found.getString("value"))).isEqualTo(0.03);
  }

  @Test
  void metricsPage_checkedByPromtool_givesNoComplaint() throws Exception {
    assertThat(prometheus.promtoolCheck(sidecar.metrics())).isEmpty();
  }
}
