package io.hdrsidecar.tests.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a flood loses, and what is left after the end. */
final class StatsdProcessIT {
  private static final Pattern UDP = Pattern.compile("address=udp://[0-9.]+:(?<port>\\d+)");
  private static final int FLOOD = 20_000;

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  /** With a receive buffer for a few datagrams, and a sidecar that is stopped meanwhile. */
  @Test
  void flood_ofASmallReceiveBuffer_isCountedOrDroppedByTheKernelAndSaid() throws Exception {
    SidecarProcess sidecar =
        processes.sidecar(0, "--statsd-udp-address=127.0.0.1:0", "--statsd-receive-buffer=16KiB");
    int port = Integer.parseInt(sidecar.awaitLine(UDP).group("port"));

    sidecar.signal("STOP");
    send(port, FLOOD / 2);
    sidecar.signal("CONT");
    send(port, FLOOD / 2);

    long[] seen = new long[2];
    Eventually.holds(
        () -> {
          String page = sidecar.metrics();
          seen[0] = value(page, "hdr_sidecar_statsd_datagrams_total{socket=\"udp\"}");
          seen[1] = value(page, "hdr_sidecar_statsd_kernel_dropped_datagrams_total");
          assertThat(seen[0] + seen[1]).isEqualTo(FLOOD);
        });
    assertThat(seen[1]).as("dropped by the kernel").isPositive();
    Eventually.holds(
        () -> assertThat(sidecar.total("flood", "").getLong("count")).isEqualTo(seen[0]));
    assertThat(sidecar.output()).contains("event=statsd_kernel_dropped");
    System.out.printf(
        "statsd flood: sent %d, counted %d, dropped by the kernel and counted %d%n",
        FLOOD, seen[0], seen[1]);
  }

  private static void send(int port, int datagrams) throws Exception {
    byte[] line = "flood:1|d".getBytes(StandardCharsets.US_ASCII);
    try (DatagramSocket socket = new DatagramSocket()) {
      DatagramPacket packet =
          new DatagramPacket(line, line.length, InetAddress.getLoopbackAddress(), port);
      for (int i = 0; i < datagrams; i++) {
        socket.send(packet);
      }
    }
  }

  @Test
  void countersAndGauges_switchedOn_areOnThePageAsTheyAre() throws Exception {
    SidecarProcess sidecar =
        processes.sidecar(
            0, "--statsd-udp-address=127.0.0.1:0", "--statsd-max-counters-and-gauges=10");
    int port = Integer.parseInt(sidecar.awaitLine(UDP).group("port"));

    send(port, "hits:2|c|#route:/pay\nhits:1|c|@0.5|#route:/pay\ndepth:7|g\ndepth:-2|g\nd:1|ms");

    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .contains("\nhits_total{route=\"/pay\"} 4.0\n", "\ndepth 5.0\n")
                .contains("# TYPE hits_total counter\n", "# TYPE depth gauge\n")
                .contains("\nd_seconds_count 1\n"));
  }

  private static void send(int port, String datagram) throws Exception {
    byte[] bytes = datagram.getBytes(StandardCharsets.US_ASCII);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }
  }

  /** What was counted since the last hand-over is in the journal, and the sockets are gone. */
  @Test
  void end_ofTheProcess_losesNothingThatWasReceived() throws Exception {
    Path datagrams = folder.resolve("datagrams");
    String journal = "--journal-directory=" + folder.resolve("journal");
    SidecarProcess sidecar =
        processes.sidecar(
            0, "--statsd-udp-address=127.0.0.1:0", "--statsd-unix-datagram=" + datagrams, journal);
    assertThat(datagrams).exists();
    send(Integer.parseInt(sidecar.awaitLine(UDP).group("port")), 500);
    sidecar.signal("TERM");
    Eventually.holds(() -> assertThat(Files.exists(datagrams)).isFalse());

    SidecarProcess again = Eventually.gives(() -> processes.sidecar(0, journal));
    assertThat(again.total("flood", "").getLong("count")).isEqualTo(500);
  }

  /** Netty's own switch stands in for a machine for which there is no library. */
  @Test
  void start_unixDatagramsWithoutTheNativeLibrary_saysWhatIsMissingAndWhatElseWorks()
      throws Exception {
    JavaProcess process =
        processes.java(
            List.of("-Dio.netty.transport.noNative=true"),
            List.of(
                "serve",
                "--ingest-port=0",
                "--http-port=0",
                "--statsd-unix-datagram=" + folder.resolve("datagrams")));

    assertThat(process.awaitExit()).isPositive();
    assertThat(process.output())
        .contains("statsd.unix-datagram: needs Netty's native library")
        .contains("use statsd.unix-stream or statsd.udp-address");
  }

  @Test
  void checkConfig_aMappingFileWithMistakes_namesThem() throws Exception {
    Path mapping = Files.writeString(folder.resolve("mapping.yaml"), "mappings: [{match: a.*}]");

    JavaProcess check =
        processes.start(
            List.of(
                "serve",
                "--check-config",
                "--statsd-udp-address=127.0.0.1:0",
                "--statsd-mapping-file=" + mapping));

    assertThat(check.awaitExit()).isEqualTo(2);
    assertThat(check.output()).contains("statsd.mapping-file").contains("name is missing");
  }

  private static long value(String page, String sample) {
    Matcher matcher = Pattern.compile("(?m)^" + Pattern.quote(sample) + " (\\S+)$").matcher(page);
    assertThat(matcher.find()).as("%s in %s", sample, page).isTrue();
    return (long) Double.parseDouble(matcher.group(1));
  }
}
