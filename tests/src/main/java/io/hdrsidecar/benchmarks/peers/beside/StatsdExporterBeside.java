package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * statsd_exporter with native histograms of schema 3 beside its classic buckets and a larger buffer
 * of the socket, other settings as by default. The client says how many bytes it sent, and what it
 * gave up itself.
 */
final class StatsdExporterBeside implements Beside {
  private static final String MAPPING =
      "defaults: {observer_type: histogram, histogram_options:"
          + " {native_histogram_bucket_factor: 1.1, native_histogram_max_buckets: 160}}\n";

  /** As much as {@code net.core.rmem_max} must allow; where it is less, the kernel gives that. */
  private static final int READ_BUFFER_BYTES = 4 << 20;

  private final ClientTelemetry telemetry = new ClientTelemetry();
  private final Child process;
  private final String address;
  private final URI metrics;

  StatsdExporterBeside(Path folder, Programs programs, boolean unix)
      throws IOException, InterruptedException {
    Path mapping = Files.writeString(folder.resolve("statsd.yml"), MAPPING);
    Path socket = folder.resolve("statsd.sock");
    Files.deleteIfExists(socket);
    int port = FreePort.udp();
    int http = FreePort.tcp();
    this.address = unix ? "unixgram://" + socket : "udp://127.0.0.1:" + port;
    this.metrics = URI.create("http://127.0.0.1:" + http + "/metrics");
    this.process =
        Child.start(
            List.of(
                programs.binary("statsd_exporter").toString(),
                "--web.listen-address=127.0.0.1:" + http,
                "--statsd.listen-tcp=",
                "--statsd.listen-udp=" + (unix ? "" : "127.0.0.1:" + port),
                "--statsd.listen-unixgram=" + (unix ? socket : ""),
                "--statsd.read-buffer=" + READ_BUFFER_BYTES,
                "--statsd.mapping-config=" + mapping),
            Map.of());
    process.awaitPage(metrics);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public int telemetryPort() {
    return telemetry.port();
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
  public void awaitFigures() throws InterruptedException {
    telemetry.awaitNext();
  }

  @Override
  public long wireBytes() {
    return telemetry.bytes();
  }

  @Override
  public ClientLosses clientLosses() {
    return telemetry.losses();
  }

  @Override
  public void close() throws IOException {
    telemetry.close();
    process.close();
  }
}
