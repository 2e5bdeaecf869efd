package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is wrong before anything is started. */
final class FleetDemoTest {
  private static String refusal(String... arguments) {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new FleetDemo())
            .setErr(new PrintWriter(errors, true))
            .setOut(new PrintWriter(new StringWriter(), true))
            .execute(arguments);
    assertThat(code).isEqualTo(2);
    return errors.toString();
  }

  @Test
  void jarMissing_isNamedWithWhatToDo() {
    assertThat(refusal("--sidecar-jar=/nowhere/hdr-sidecar.jar"))
        .contains("/nowhere/hdr-sidecar.jar", "mvn package", "--sidecar-jar");
  }

  @Test
  void numberOutOfRange_saysTheRange() {
    assertThat(refusal("--sidecars=0")).contains("--sidecars must be from 1 to 200, not 0");
    assertThat(refusal("--nodes=4", "--partitions=2")).contains("--partitions must be from 4");
  }

  @Test
  void portTaken_isNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(refusal("--http-port=" + port))
          .contains("--http-port: somebody else listens on port " + port);
    }
  }

  @Test
  void buckets_thatAreElsewhere_areMissingAndTooMany() {
    RawTruth raw = new RawTruth();
    RawTruth fleet = new RawTruth();
    raw.record(1_000);
    raw.record(1_000);
    fleet.record(1_000);
    fleet.record(2_000);
    assertThat(fleet.statistics(50).missing(raw.statistics(50))).isEqualTo(1);
    assertThat(raw.statistics(50).missing(fleet.statistics(50))).isEqualTo(1);
    ComparisonTable table = new ComparisonTable();
    table.add("request", fleet.statistics(50), raw.statistics(50));
    assertThat(table.isEqual()).isFalse();
    assertThat(table.toString()).contains("NOT EQUAL", "the fleet has 1 too many, and lacks 1");
  }
}
