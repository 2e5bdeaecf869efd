package io.hdrsidecar.sidecar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Through real sockets, to a sidecar in this process. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class TransportTimesTest {
  private static final Duration DURATION = Duration.ofMillis(200);
  private static final long TRIPS = 40; // 200 a second

  private final Path folder;

  TransportTimesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Sidecar sidecar() throws Exception {
    return Sidecar.start(
        ConfigLoader.load(
            Map.of(
                "--ingest-port", "0",
                "--http-port", "0",
                "--ingest-unix-socket", folder.resolve("s").toString()),
            Map.of(),
            null));
  }

  private static HdrSidecarClient client(String address) {
    return HdrSidecarClient.create(ClientConfig.builder().address(address).build());
  }

  /** Counts of the page by name and labels. */
  private static Map<String, Long> counts(Sidecar sidecar) throws Exception {
    HttpRequest page = HttpRequest.newBuilder(sidecar.httpAddress().resolve("/metrics")).build();
    return HttpClient.newHttpClient()
        .send(page, BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("demo_") && line.contains("_seconds_count"))
        .map(line -> line.split(" "))
        .collect(Collectors.toMap(words -> words[0], words -> Long.valueOf(words[1])));
  }

  @Test
  void measure_overBothSockets_countsEachTripOnceAndEachProbe() throws Exception {
    try (Sidecar sidecar = sidecar()) {
      try (HdrSidecarClient client = client(sidecar.ingestAddress())) {
        TransportTimes.measure(
            client,
            sidecar.ingestAddress(),
            sidecar.unixAddress(),
            sidecar.httpAddress(),
            DURATION);
        assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
      }

      assertThat(counts(sidecar))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "demo_transport_seconds_count{route=\"ping_tcp\"}", TRIPS,
                  "demo_transport_seconds_count{route=\"ping_unix\"}", TRIPS,
                  "demo_transport_seconds_count{route=\"ack_tcp\"}", TRIPS,
                  "demo_transport_seconds_count{route=\"ack_unix\"}", TRIPS,
                  "demo_transport_seconds_count{route=\"page\"}", TRIPS,
                  "demo_probe_seconds_count{route=\"ack_tcp\"}", 1_000 + TRIPS,
                  "demo_probe_seconds_count{route=\"ack_unix\"}", 1_000 + TRIPS,
                  "demo_probe_seconds_count{route=\"page\"}", TRIPS));
    }
  }

  @Test
  void measure_whereTheOtherSideIsNoSidecar_saysWhatBroke() throws Exception {
    try (Sidecar sidecar = sidecar();
        HdrSidecarClient client = client(sidecar.ingestAddress());
        ServerSocket hangsUp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread hangUp =
          new Thread(
              () -> {
                try {
                  hangsUp.accept().close();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      hangUp.start();

      assertThatThrownBy(
              () ->
                  TransportTimes.measure(
                      client,
                      "tcp://127.0.0.1:" + hangsUp.getLocalPort(),
                      Optional.empty(),
                      sidecar.httpAddress(),
                      DURATION))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("transport cannot be timed");
      hangUp.join();
      assertThat(List.of(folder.toFile().list())).containsExactly("s");
    }
  }
}
