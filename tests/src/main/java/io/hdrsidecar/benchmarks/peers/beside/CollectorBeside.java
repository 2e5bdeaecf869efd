package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
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
final class CollectorBeside implements Beside {
  private final CountingProxy proxy;
  private final Child process;
  private final URI metrics;

  CollectorBeside(Path folder, Programs programs) throws IOException, InterruptedException {
    int otlp = FreePort.tcp();
    int http = FreePort.tcp();
    Path configuration =
        Files.writeString(folder.resolve("collector.yml"), configuration(otlp, http));
    this.metrics = URI.create("http://127.0.0.1:" + http + "/metrics");
    this.process =
        Child.start(
            List.of(programs.binary("otelcol").toString(), "--config=" + configuration), Map.of());
    process.awaitPage(metrics);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.proxy =
        new CountingProxy(
            new InetSocketAddress(loopback, 0), new InetSocketAddress(loopback, otlp));
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

  @Override
  public String address() {
    return "http://127.0.0.1:" + proxy.port();
  }

  @Override
  public Child process() {
    return process;
  }

  @Override
  public URI metrics() {
    return metrics;
  }

  @Override
  public long wireBytes() {
    return proxy.bytes();
  }

  @Override
  public void close() throws IOException {
    proxy.close();
    process.close();
  }
}
