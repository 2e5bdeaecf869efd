package io.hdrsidecar.benchmarks.peers.beside;

import io.hdrsidecar.benchmarks.peers.measure.Child;
import io.hdrsidecar.benchmarks.process.FreePort;
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
final class StatsdExporterBeside {
  private static final String MAPPING =
      "defaults: {observer_type: histogram, histogram_options:"
          + " {native_histogram_bucket_factor: 1.1, native_histogram_max_buckets: 160}}\n";

  /** As much as {@code net.core.rmem_max} must allow; where it is less, the kernel gives that. */
  private static final int READ_BUFFER_BYTES = 4 << 20;

  private StatsdExporterBeside() {}

  /** Starts it on a Unix datagram socket or on UDP. */
  static Beside start(Path folder, Programs programs, boolean unix)
      throws IOException, InterruptedException {
    Path mapping = Files.writeString(folder.resolve("statsd.yml"), MAPPING);
    Path socket = folder.resolve("statsd.sock");
    Files.deleteIfExists(socket);
    String udp = "127.0.0.1:" + FreePort.udp();
    int http = FreePort.tcp();
    URI metrics = URI.create("http://127.0.0.1:" + http + "/metrics");
    Child process =
        Child.start(
            List.of(
                programs.binary("statsd_exporter").toString(),
                "--web.listen-address=127.0.0.1:" + http,
                "--statsd.listen-tcp=",
                "--statsd.listen-udp=" + (unix ? "" : udp),
                "--statsd.listen-unixgram=" + (unix ? socket : ""),
                "--statsd.read-buffer=" + READ_BUFFER_BYTES,
                "--statsd.mapping-config=" + mapping),
            Map.of());
    process.awaitPage(metrics);
    String address = unix ? "unixgram://" + socket : "udp://" + udp;
    return new ProgramBeside(address, process, metrics, new ClientTelemetry());
  }
}
