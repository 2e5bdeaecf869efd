package io.hdrsidecar.benchmarks.peers.beside;

import static org.assertj.core.api.Assertions.assertThat;

import com.timgroup.statsd.NonBlockingStatsDClientBuilder;
import com.timgroup.statsd.StatsDClient;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ClientTelemetryTest {
  @Test
  void add_twoReports_addsUpThoseThreeCountersAndNoOther() throws Exception {
    try (ClientTelemetry telemetry = new ClientTelemetry()) {
      telemetry.add(
          """
          datadog.dogstatsd.client.metrics:9000|c|#client:java
          datadog.dogstatsd.client.bytes_sent:1000|c|#client:java
          datadog.dogstatsd.client.bytes_dropped:77|c|#client:java
          datadog.dogstatsd.client.packets_sent:8|c|#client:java
          datadog.dogstatsd.client.packets_dropped:2|c|#client:java
          datadog.dogstatsd.client.packets_dropped_queue:30|c|#client:java
          """);
      telemetry.add(
          """
          datadog.dogstatsd.client.bytes_sent:500|c
          datadog.dogstatsd.client.packets_dropped_queue:4|c
          """);

      assertThat(telemetry.bytes()).isEqualTo(1500);
      assertThat(telemetry.losses()).isEqualTo(new ClientLosses(34, 2));
    }
  }

  @Test
  void awaitFigures_realClient_hasTheBytesOfItsMessages() throws Exception {
    try (DatagramSocket server =
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ClientTelemetry telemetry = new ClientTelemetry();
        StatsDClient client =
            new NonBlockingStatsDClientBuilder()
                .address("udp://127.0.0.1:" + server.getLocalPort())
                .telemetryAddress("udp://127.0.0.1:" + telemetry.telemetryPort())
                .telemetryFlushInterval(100)
                .originDetectionEnabled(false)
                .build()) {
      client.recordHistogramValue("peers", 12345, "n:7");
      for (int waited = 0; telemetry.bytes() == 0 && waited < 100; waited++) {
        telemetry.awaitFigures();
      }

      assertThat(telemetry.bytes()).isEqualTo("peers:12345|h|#n:7\n".length());
      assertThat(telemetry.losses()).isEqualTo(new ClientLosses(0, 0));
    }
  }
}
