package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.support.Promtool;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules from a file to the page, in a real sidecar with a real client. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class SlaSidecarTest {
  private static final String RULES =
      """
      slas:
        - name: pay
          selector: checkout{route="/pay"}
          limits: {50%: 20ms, 90%: 50ms, 99.9%: 500ms, 100%: 2s}
          objective: 99.9%
        - name: nobody
          selector: nobody
          limits: {100%: 1MiB}
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final Path file;

  SlaSidecarTest(@TempDir Path folder) {
    this.folder = folder;
    this.file = folder.resolve("sla.yaml");
  }

  private Sidecar start(String rules) throws Exception {
    Files.writeString(file, rules);
    Map<String, String> flags =
        Map.of(
            "--ingest-port", "0",
            "--http-port", "0",
            "--self-hiccups", "off",
            "--reload", "true",
            "--sla-file", file.toString());
    return Sidecar.start(
        ConfigLoader.load(flags, Map.of(), null), () -> ConfigLoader.load(flags, Map.of(), null));
  }

  /** 1,000 calls: 499 of 10 ms, 400 of 30 ms, 100 of 100 ms and one of 1 s. */
  private static void record(Sidecar sidecar) throws Exception {
    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address(sidecar.ingestAddress())
                .interval(Duration.ofMillis(100))
                .build())) {
      LatencyRecorder recorder = client.recorder("checkout", Labels.of("route", "/pay"));
      record(recorder, 499, 10);
      record(recorder, 400, 30);
      record(recorder, 100, 100);
      record(recorder, 1, 1000);
      assertThat(client.close(Duration.ofSeconds(20)).deliveredAll()).isTrue();
    }
  }

  private static void record(LatencyRecorder recorder, int times, int millis) {
    for (int i = 0; i < times; i++) {
      recorder.record(Duration.ofMillis(millis));
    }
  }

  private HttpResponse<String> get(Sidecar sidecar, String path, String accept) throws Exception {
    URI uri = sidecar.httpAddress().resolve(path);
    return http.send(
        HttpRequest.newBuilder(uri)
            .header("Accept", accept)
            .timeout(Duration.ofSeconds(30))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> reload(Sidecar sidecar) throws Exception {
    URI uri = sidecar.httpAddress().resolve("/-/reload");
    return http.send(
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  private String pageWith(Sidecar sidecar, String line) throws Exception {
    String page = get(sidecar, "/metrics", "text/plain").body();
    while (!page.contains(line)) { // until the time-out of the class
      page = get(sidecar, "/metrics", "text/plain").body();
    }
    return page;
  }

  @Test
  void metrics_afterRecordedValues_showVerdictsAndCounts() throws Exception {
    try (Sidecar sidecar = start(RULES)) {
      record(sidecar);

      String page =
          pageWith(sidecar, "\nhdr_sla_events_total{quantile=\"1\",sla=\"pay\"} 1000.0\n");

      assertThat(page)
          .contains("hdr_sla_limit_seconds{quantile=\"0.5\",sla=\"pay\",window=\"1m\"} 0.02\n")
          .contains("hdr_sla_limit_seconds{quantile=\"1\",sla=\"pay\",window=\"1m\"} 2.0\n")
          .contains("hdr_sla_actual_seconds{quantile=\"1\",sla=\"pay\",window=\"1m\"} 1.0\n")
          .containsPattern(
              "hdr_sla_actual_seconds\\{quantile=\"0.5\",sla=\"pay\",window=\"1m\"} 0.030")
          .contains("hdr_sla_met{quantile=\"0.5\",sla=\"pay\",window=\"1m\"} 0.0\n")
          .contains("hdr_sla_met{quantile=\"0.9\",sla=\"pay\",window=\"1m\"} 0.0\n")
          .contains("hdr_sla_met{quantile=\"0.999\",sla=\"pay\",window=\"1m\"} 1.0\n")
          .contains("hdr_sla_met{quantile=\"1\",sla=\"pay\",window=\"1m\"} 1.0\n")
          .contains("hdr_sla_good_total{quantile=\"0.5\",sla=\"pay\"} 499.0\n")
          .contains("hdr_sla_good_total{quantile=\"0.9\",sla=\"pay\"} 899.0\n")
          .contains("hdr_sla_good_total{quantile=\"0.999\",sla=\"pay\"} 999.0\n")
          .contains("hdr_sla_good_total{quantile=\"1\",sla=\"pay\"} 1000.0\n")
          .contains("hdr_sla_objective{quantile=\"0.999\",sla=\"pay\"} 0.999\n")
          .contains("hdr_sla_matched_series{sla=\"pay\"} 1.0\n")
          .contains("hdr_sla_matched_series{sla=\"nobody\"} 0.0\n")
          .contains("hdr_sla_whole_series_info{kind=\"\",series=\"nobody\",sla=\"nobody\"} 1")
          .doesNotContain("series=\"checkout\"") // of which rule pay is about one route
          .contains("hdr_sla_judged{sla=\"pay\"} 1.0\n")
          .contains("hdr_sla_judged{sla=\"nobody\"} 0.0\n")
          .contains("hdr_sidecar_sla_evaluation_failures_total 0.0\n")
          .contains("hdr_sla_limit_bytes{quantile=\"1\",sla=\"nobody\",window=\"1m\"} 1048576.0\n")
          .contains("hdr_sla_events_total{quantile=\"1\",sla=\"nobody\"} 0.0\n")
          .doesNotContain("hdr_sla_met{quantile=\"1\",sla=\"nobody\"")
          .doesNotContain("hdr_sla_actual_bytes");
      assertThat(page)
          .contains("# TYPE hdr_sla_good_total counter\n")
          .contains("# TYPE hdr_sla_events_total counter\n");
      // A counter of a row needs the label that says which row.
      String quantile = " non-summary metrics should not have \"quantile\" label";
      assertThat(Promtool.complaints(page))
          .containsOnly("hdr_sla_good_total" + quantile, "hdr_sla_events_total" + quantile);
    }
  }

  @Test
  void metrics_openMetrics_tellsCountersWithTheirCreation() throws Exception {
    try (Sidecar sidecar = start(RULES)) {
      record(sidecar);
      pageWith(sidecar, "\nhdr_sla_events_total{quantile=\"1\",sla=\"pay\"} 1000.0\n");

      String page = get(sidecar, "/metrics", "application/openmetrics-text").body();

      assertThat(page)
          .contains("# TYPE hdr_sla_good counter\n")
          .contains("hdr_sla_good_total{quantile=\"1\",sla=\"pay\"} 1000.0\n")
          .containsPattern("hdr_sla_good_created\\{quantile=\"1\",sla=\"pay\"} 1[0-9]{9}\\.");
      assertThat(number(page, "hdr_sla_good_created{quantile=\"1\",sla=\"pay\"} "))
          .as("the rule was there before the first value")
          .isLessThanOrEqualTo(number(page, "checkout_seconds_created{route=\"/pay\"} "));
    }
  }

  private static double number(String page, String start) {
    int from = page.indexOf(start) + start.length();
    return Double.parseDouble(page.substring(from, page.indexOf('\n', from)));
  }

  @Test
  void reload_otherRules_areInForceAndCountThePast() throws Exception {
    try (Sidecar sidecar = start(RULES)) {
      record(sidecar);
      pageWith(sidecar, "\nhdr_sla_events_total{quantile=\"1\",sla=\"pay\"} 1000.0\n");
      Files.writeString(
          file, "slas: [{name: new, selector: checkout_seconds, limits: {100%: 50ms}}]");

      HttpResponse<String> answer = reload(sidecar);

      assertThat(new JsonObject(answer.body()).getJsonObject("data").getJsonArray("changed"))
          .containsExactly("sla.file");
      assertThat(get(sidecar, "/metrics", "text/plain").body())
          .contains("hdr_sla_good_total{quantile=\"1\",sla=\"new\"} 899.0\n")
          .contains("hdr_sla_events_total{quantile=\"1\",sla=\"new\"} 1000.0\n")
          .doesNotContain("sla=\"pay\"");
      String page = get(sidecar, "/metrics", "application/openmetrics-text").body();
      assertThat(number(page, "hdr_sla_good_created{quantile=\"1\",sla=\"new\"} "))
          .as("counted since the series began")
          .isEqualTo(number(page, "checkout_seconds_created{route=\"/pay\"} "));
    }
  }

  @Test
  void reload_brokenRules_areRefusedAndTheOldOnesStay() throws Exception {
    try (Sidecar sidecar = start(RULES)) {
      Files.writeString(
          file,
          "slas:\n  - {name: a, selector: a, limits: {50%: 1s}}\n  - {name: a, selektor: b}\n");

      HttpResponse<String> answer = reload(sidecar);

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(answer.body()).getString("error"))
          .contains(file + ", line 2: limits must have a row 100%")
          .contains(file + ", line 3: no such key: selektor")
          .contains(file + ", line 3: name is used twice: a, first in line 2");
      assertThat(get(sidecar, "/metrics", "text/plain").body())
          .contains("hdr_sla_matched_series{sla=\"pay\"} 0.0\n")
          .doesNotContain("sla=\"a\"");
    }
  }

  @Test
  void reload_windowThatNeedsARestart_isRefused() throws Exception {
    Files.writeString(file, RULES);
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, "reload: true\nsla.file: " + file + "\n");
    Map<String, String> ports = Map.of("--ingest-port", "0", "--http-port", "0");
    try (Sidecar sidecar =
        Sidecar.start(
            ConfigLoader.load(ports, Map.of(), config),
            () -> ConfigLoader.load(ports, Map.of(), config))) {
      Files.writeString(config, "reload: true\nwindows: 7m\nsla.file: " + file + "\n");
      Files.writeString(file, "slas: [{name: a, selector: a, windows: 7m, limits: {100%: 1s}}]");

      assertThat(sidecar.reload().reload().problems())
          .containsExactly("sla a: not a window of the running sidecar: 7m");
    }
  }
}
