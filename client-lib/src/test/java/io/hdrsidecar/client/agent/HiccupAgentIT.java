package io.hdrsidecar.client.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.send.Await;
import io.hdrsidecar.client.send.TestPeer;
import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.interval.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent in a process of its own, from the jar as built, with nothing else on its class path.
 */
class HiccupAgentIT {
  private static final Path JAR = Path.of("target", "hdr-sidecar-client.jar").toAbsolutePath();
  private static final Path PROGRAM = Path.of("target", "test-classes").toAbsolutePath();
  private static final String RAW = "jvm_hiccup_raw";
  private static final String CORRECTED = "jvm_hiccup{corrected=\"expected_interval\"}";
  private static final long MILLI = 1_000_000;

  private final Path directory;

  HiccupAgentIT(@TempDir Path directory) {
    this.directory = directory;
  }

  private Process start(String arguments) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-javaagent:" + JAR + "=" + arguments,
            "-cp",
            PROGRAM.toString(),
            WaitingProgram.class.getName())
        .redirectOutput(directory.resolve("out").toFile())
        .redirectError(directory.resolve("err").toFile())
        .start();
  }

  /** Ends the program by the end of its input, as a user would. */
  private void end(Process process) throws Exception {
    process.getOutputStream().close();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(directory.resolve("out")).hasContent("running");
  }

  private static void signal(Process process, String name) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  private static void stopFor(Process process, long nanos) throws Exception {
    signal(process, "STOP");
    try {
      long stopped = System.nanoTime();
      Await.until("the pause is over", () -> System.nanoTime() - stopped >= nanos);
    } finally {
      signal(process, "CONT");
    }
  }

  private static long count(TestPeer peer, String key) {
    Accumulation merged = peer.merged(key);
    return merged == null ? 0 : merged.count();
  }

  private static long max(TestPeer peer, String key) {
    Accumulation merged = peer.merged(key);
    return merged == null ? 0 : merged.max();
  }

  @Test
  void agent_aroundAProgramThatIsStopped_deliversThePauseAndItsBackFill() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      Process process =
          start("address=" + peer.address() + ",interval=50ms,labels=app=x,labels=zone=a");
      try {
        Await.until("hiccups arrive", () -> count(peer, RAW) >= 200);
        // The signal takes effect some time after kill returns; 50 ms are left for that.
        stopFor(process, 250 * MILLI);
        Await.until("the pause arrives", () -> max(peer, RAW) >= 200 * MILLI);
        end(process);
      } finally {
        process.destroyForcibly();
      }

      assertThat(peer.breaches()).isEmpty();
      assertThat(peer.goodbyes()).isOne();
      assertThat(peer.hellos().get(0).commonLabels()).isEqualTo(Labels.of("app", "x", "zone", "a"));
      assertThat(max(peer, CORRECTED)).isEqualTo(max(peer, RAW));
      // At 1 ms, a pause of n ms stands for n - 1 more values. One measurement may be in one series
      // only, as the process ends between them.
      assertThat(count(peer, CORRECTED))
          .isGreaterThanOrEqualTo(count(peer, RAW) - 1 + max(peer, RAW) / MILLI - 1);
    }
  }

  @Test
  void agent_withAWrongArgument_saysSoInOneLineAndLetsTheProgramRun() throws Exception {
    Process process = start("interval=abc");
    try {
      end(process);
    } finally {
      process.destroyForcibly();
    }

    assertThat(Files.readAllLines(directory.resolve("err")))
        .containsExactly(
            "hdr-sidecar agent: measures nothing: environment of hdr-sidecar's client:"
                + " HDR_SIDECAR_INTERVAL: must be a whole number with a unit, such as 500ms, 10s,"
                + " 1m or 1h: abc");
  }

  @Test
  void agent_withoutASidecar_letsTheProgramRunAndEnd() throws Exception {
    Process process =
        start("address=unix://" + directory.resolve("nobody.sock") + ",interval=50ms");
    try {
      Await.until("the program runs", () -> Files.exists(directory.resolve("out")));
      end(process);
    } finally {
      process.destroyForcibly();
    }
  }
}
