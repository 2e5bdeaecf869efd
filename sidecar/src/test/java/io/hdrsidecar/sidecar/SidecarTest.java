package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The wiring: from the real client to the real page. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SidecarTest {
  private static SidecarConfig config(Map<String, String> flags) throws Exception {
    Map<String, String> all = new HashMap<>(Map.of("--ingest-port", "0", "--http-port", "0"));
    all.putAll(flags);
    return ConfigLoader.load(all, Map.of(), null);
  }

  private static String get(URI http, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(http.resolve(path)).timeout(Duration.ofSeconds(30)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static void record(String address) throws Exception {
    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder().address(address).interval(Duration.ofMillis(100)).build())) {
      client.recorder("checkout", Labels.of("route", "/pay")).record(Duration.ofMillis(4));
      assertThat(client.close(Duration.ofSeconds(20)).deliveredAll()).isTrue();
    }
  }

  @Test
  void start_recordedValue_isOnThePage(@TempDir Path folder) throws Exception {
    String socket = folder.resolve("hdr.sock").toString();
    try (Sidecar sidecar = Sidecar.start(config(Map.of("--ingest-unix-socket", socket)))) {
      record(sidecar.ingestAddress());
      record(sidecar.unixAddress().orElseThrow());

      String page = get(sidecar.httpAddress(), "/metrics");

      assertThat(page)
          .contains("checkout_seconds_count{route=\"/pay\"} 2\n")
          .contains("checkout_window_seconds{quantile=\"1\",route=\"/pay\",window=\"1m\"} 0.004")
          .contains("hdr_sidecar_duplicate_intervals_total 0.0\n");
      assertThat(get(sidecar.httpAddress(), "/-/ready")).isNotEmpty();
      assertThat(get(sidecar.httpAddress(), "/api/v1/status"))
          .contains("\"ingest.unix-socket\":\"" + socket + "\"");
    }
  }

  @Test
  void health_ofOurOwnClient_hasNoUnknownFigures() throws Exception {
    try (Sidecar sidecar = Sidecar.start(config(Map.of()));
        HdrSidecarClient client =
            HdrSidecarClient.create(
                ClientConfig.builder()
                    .address(sidecar.ingestAddress())
                    .interval(Duration.ofMillis(100))
                    .commonLabels(Labels.of("service", "shop"))
                    .build())) {
      client.recorder("checkout").record(Duration.ofMillis(4));
      String page = get(sidecar.httpAddress(), "/metrics");
      while (!page.contains("\nhdr_sidecar_client_start_time_seconds{")) { // until the time-out
        page = get(sidecar.httpAddress(), "/metrics");
      }
      assertThat(page)
          .contains("\nhdr_sidecar_health_unknown_figures_total 0.0\n")
          .containsPattern("hdr_sidecar_client_info\\{client=\"\\w{32}\",service=\"shop\"} 1\n")
          .containsPattern("hdr_sidecar_client_connected\\{client=\"\\w{32}\"} 1.0\n")
          .contains("\nhdr_sidecar_known_instances ");
    }
  }

  @Test
  void start_twoInOneProcess_doNotMeet() throws Exception {
    try (Sidecar one = Sidecar.start(config(Map.of()));
        Sidecar other = Sidecar.start(config(Map.of()))) {
      record(one.ingestAddress());

      assertThat(get(one.httpAddress(), "/metrics")).contains("checkout_seconds_count");
      assertThat(get(other.httpAddress(), "/metrics")).doesNotContain("checkout_seconds_count");
    }
  }

  @Test
  void start_httpPortTaken_failsAndListensNowhere() throws Exception {
    int ingestPort = freePort();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      SidecarConfig config =
          config(
              Map.of(
                  "--http-port", Integer.toString(taken.getLocalPort()),
                  "--ingest-port", Integer.toString(ingestPort)));

      assertThatThrownBy(() -> Sidecar.start(config))
          .isInstanceOf(StartFailedException.class)
          .hasMessageContaining("in use");
    }
    try (ServerSocket free = new ServerSocket(ingestPort, 1, InetAddress.getLoopbackAddress())) {
      assertThat(free.isBound()).isTrue();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Test
  void start_ownHiccups_areOnThePageBesideTheClients() throws Exception {
    try (Sidecar sidecar = Sidecar.start(config(Map.of()))) {
      String sample = "\nsidecar_hiccup_raw_seconds_count ";
      String page = get(sidecar.httpAddress(), "/metrics");
      while (!page.contains(sample)) { // until the class's time-out
        page = get(sidecar.httpAddress(), "/metrics");
      }
      assertThat(page)
          .contains("\nsidecar_hiccup_seconds_count{corrected=\"expected_interval\"} ")
          .doesNotContain("jvm_hiccup");
    }
    try (Sidecar without = Sidecar.start(config(Map.of("--self-hiccups", "off")))) {
      record(without.ingestAddress());

      assertThat(get(without.httpAddress(), "/metrics")).doesNotContain("sidecar_hiccup");
    }
  }

  @Test
  void close_twice_isFine() throws Exception {
    Sidecar sidecar = Sidecar.start(config(Map.of()));
    sidecar.close();
    sidecar.close();
    assertThat(sidecar.config().http().port()).isZero();
  }
}
