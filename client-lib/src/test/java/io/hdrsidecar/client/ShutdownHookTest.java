package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.send.TestPeer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that ends without closing its client. */
class ShutdownHookTest {
  /** What that JVM runs. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      LatencyRecorder recorder = HdrSidecarClient.fromEnvironment().recorder("program");
      for (int i = 1; i <= 1000; i++) {
        recorder.record(i);
      }
      System.exit(0);
    }
  }

  private final Path directory;

  ShutdownHookTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void exit_withoutClose_deliversWhatWasRecorded() throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              Program.class.getName());
      builder.environment().put("HDR_SIDECAR_ADDRESS", peer.address());
      builder.environment().put("HDR_SIDECAR_INTERVAL", "1h");
      builder.redirectErrorStream(true);
      builder.redirectOutput(directory.resolve("output").toFile());

      Process process = builder.start();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.mergedValues()).isEqualTo(1000);
    }
  }
}
