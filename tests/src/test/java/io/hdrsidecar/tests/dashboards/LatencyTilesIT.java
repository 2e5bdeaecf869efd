package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A percentile of a series is shown in the colour of the SLA about it, where there is one. */
@RequiresDocker
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LatencyTilesIT {
  private static final Dashboard LATENCY = Dashboard.of("hdr-sidecar-latency");
  private static final Dashboard.Panel TILE = LATENCY.panel("99 % under, worst pod");
  private static final Map<String, String> CHOSEN =
      Map.of("series", "checkout", "kind", "response", "window", "1m", "pod_label", "pod");

  /** What a pod shows: this percentile, and this verdict of a rule. */
  private static final String POD =
      """
            - series: checkout_window_seconds{job="shop", pod="%1$s", kind="response", quantile="0.99", window="1m"}
              values: %2$s
            - series: hdr_sla_whole_series_info{job="shop", pod="%1$s", instance="%1$s", sla="s", series="%3$s", kind="%4$s"}
              values: 1 1
            - series: hdr_sla_met{job="shop", pod="%1$s", instance="%1$s", sla="s", quantile="%5$s", window="1m"}
              values: %6$s %6$s
      """;

  private PrometheusServer prometheus;

  @BeforeAll
  void start() {
    prometheus = PrometheusServer.scrapingJobs("", "groups: []");
  }

  @AfterAll
  void stop() {
    prometheus.close();
  }

  /** The percentile is 40 ms on pod a and 60 ms on pod b; _ is no verdict. */
  @ParameterizedTest
  @CsvSource({
    "checkout, response, 0.99, 1, 1, green",
    "checkout, response, 0.99, 1, 0, red",
    "checkout, response, 0.99, 0, _, red",
    "checkout, response, 0.99, _, _, blue",
    "checkout, response, 0.5, 0, 0, blue",
    "checkout, service, 0.99, 0, 0, blue",
    "query, response, 0.99, 0, 0, blue",
  })
  void tile_withARuleAbout_hasTheColourOfItsVerdict(
      String series, String kind, String quantile, String onA, String onB, String colour)
      throws Exception {
    String input =
        POD.formatted("a", "0.04 0.04", series, kind, quantile, onA)
            + POD.formatted("b", "0.06 0.06", series, kind, quantile, onB);
    String expected =
        TILE.queries().stream()
            .map(query -> expectation(query, colourOf(query).equals(colour)))
            .collect(Collectors.joining());
    prometheus.copyIn(
        "tests:\n  - interval: 1m\n    input_series:\n%s    promql_expr_test:\n%s"
            .formatted(input, expected),
        "/tmp/tile.yaml");

    assertThat(prometheus.run("promtool test rules /tmp/tile.yaml 2>&1")).contains("SUCCESS");
  }

  private static String expectation(Dashboard.Query query, boolean answers) {
    DashboardSelection selection =
        DashboardSelection.of(LATENCY, Duration.ofMinutes(10), Duration.ofMinutes(1));
    for (String name : selection.names()) {
      selection = selection.with(name, CHOSEN.getOrDefault(name, DashboardSelection.ALL));
    }
    return "      - {expr: '%s', eval_time: 1m%s}\n"
        .formatted(
            selection.replaceIn(query.expression()),
            answers ? ", exp_samples: [{labels: '{}', value: 0.06}]" : "");
  }

  private static String colourOf(Dashboard.Query query) {
    return TILE.json().getJsonObject("fieldConfig").getJsonArray("overrides").stream()
        .map(JsonObject.class::cast)
        .filter(o -> query.refId().equals(o.getJsonObject("matcher").getString("options")))
        .map(o -> o.getJsonArray("properties").getJsonObject(0).getJsonObject("value"))
        .map(value -> value.getString("fixedColor"))
        .findAny()
        .orElseThrow();
  }
}
