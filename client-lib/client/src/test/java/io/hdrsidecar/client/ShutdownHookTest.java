package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.testing.JavaProgram;
import java.nio.file.Path;
import java.util.List;
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

  /** Answers its last requests in a hook of its own, which runs beside the client's. */
  static final class Draining {
    private Draining() {}

    public static void main(String[] arguments) {
      HdrSidecarClient client = HdrSidecarClient.fromEnvironment();
      LatencyRecorder recorder = client.recorder("program");
      recorder.record(1);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    Await.until("its close", () -> client.health().acknowledgedValues() == 1);
                    for (int i = 2; i <= 1000; i++) {
                      recorder.record(i);
                    }
                    Await.until("the rest", () -> client.health().acknowledgedValues() == 1000);
                  }));
      System.exit(0);
    }
  }

  private final Path directory;

  ShutdownHookTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void exit_withoutClose_deliversWhatWasRecorded() throws Exception {
    assertDeliversAThousand(Program.class);
  }

  @Test
  void exit_whileAnotherHookRecords_deliversThatToo() throws Exception {
    assertDeliversAThousand(Draining.class);
  }

  private void assertDeliversAThousand(Class<?> program) throws Exception {
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      ProcessBuilder builder = JavaProgram.builder(List.of(), program, List.of());
      builder.environment().put("HDR_SIDECAR_ADDRESS", peer.address());
      builder.environment().put("HDR_SIDECAR_INTERVAL", "1h");
      builder.redirectOutput(directory.resolve("output").toFile());

      Process process = builder.start();

      assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.mergedValues()).isEqualTo(1000);
    }
  }
}
