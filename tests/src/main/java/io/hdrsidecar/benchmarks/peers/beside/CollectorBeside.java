package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import io.hdrsidecar.benchmarks.process.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The OpenTelemetry Collector: from OTLP over HTTP to its Prometheus exporter, without processors.
 * Between the two stands a proxy that counts.
 */
final class CollectorBeside {
  private CollectorBeside() {}

  static Beside start(Path folder, Programs programs) throws IOException, InterruptedException {
    int otlp = FreePort.tcp();
    int http = FreePort.tcp();
    Path configuration =
        Files.writeString(folder.resolve("collector.yml"), configuration(otlp, http));
    URI metrics = URI.create("http://127.0.0.1:" + http + "/metrics");
    Child process =
        Child.start(
            List.of(programs.binary("otelcol").toString(), "--config=" + configuration), Map.of());
    process.awaitPage(metrics);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    CountingProxy proxy =
        new CountingProxy(
            new InetSocketAddress(loopback, 0), new InetSocketAddress(loopback, otlp));
    return new ProgramBeside("http://127.0.0.1:" + proxy.port(), process, metrics, proxy);
  }

  private static String configuration(int otlp, int http) {
    return String.format(
        Locale.ROOT,
        """
        receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%d"}}}}
        exporters: {prometheus: {endpoint: "127.0.0.1:%d"}}
        service:
          telemetry: {metrics: {level: none}, logs: {level: error}}
          pipelines: {metrics: {receivers: [otlp], exporters: [prometheus]}}
        """,
        otlp,
        http);
  }
}
