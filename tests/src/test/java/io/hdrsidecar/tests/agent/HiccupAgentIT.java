package io.hdrsidecar.tests.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The agent in the process of a program, with nothing else on its class path. */
final class HiccupAgentIT {
  private static final Path PROGRAM = Path.of("target", "test-classes").toAbsolutePath();
  private static final Pattern RUNNING = Pattern.compile("^running$");
  private static final String RAW = "jvm_hiccup_raw{app=\"x\",zone=\"a\"}";
  private static final String CORRECTED =
      "jvm_hiccup{app=\"x\",corrected=\"expected_interval\",zone=\"a\"}";
  private static final long MILLI = 1_000_000;

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path directory = Path.of("set by JUnit");

  private JavaProcess start(String arguments) throws InterruptedException {
    List<String> command =
        AgentJar.java(arguments, "-cp", PROGRAM.toString(), WaitingProgram.class.getName());
    JavaProcess program = processes.start(command, Map.of());
    program.awaitLine(RUNNING);
    return program;
  }

  /** Ends the program by the end of its input, as a user would. */
  private static void end(JavaProcess program) throws Exception {
    program.endInput();
    assertThat(program.awaitExit()).isZero();
  }

  private static void stopFor(JavaProcess program, long nanos) throws Exception {
    program.signal("STOP");
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } finally {
      program.signal("CONT");
    }
  }

  private static long figure(SidecarProcess sidecar, String series, String figure)
      throws Exception {
    JsonObject total = sidecar.total(series, "");
    return total.getLong(figure);
  }

  @Test
  void agent_aroundAProgramThatIsStopped_deliversThePauseAndItsBackFill() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    JavaProcess program =
        start("address=" + sidecar.ingestAddress() + ",interval=50ms,labels=app=x,labels=zone=a");
    Eventually.holds(() -> assertThat(figure(sidecar, RAW, "count")).isGreaterThanOrEqualTo(200));
    // The signal takes effect some time after kill returns; 50 ms are left for that.
    stopFor(program, 250 * MILLI);
    Eventually.holds(
        () -> assertThat(figure(sidecar, RAW, "max")).isGreaterThanOrEqualTo(200 * MILLI));
    end(program);

    long raw = figure(sidecar, RAW, "count");
    long longest = figure(sidecar, RAW, "max");
    assertThat(figure(sidecar, CORRECTED, "max")).isEqualTo(longest);
    // At 1 ms, a pause of n ms stands for n - 1 more values. One measurement may be in one series
    // only, as the process ends between them.
    assertThat(figure(sidecar, CORRECTED, "count"))
        .isGreaterThanOrEqualTo(raw - 1 + longest / MILLI - 1);
  }

  @Test
  void agent_whoseIntervalIsLongerThanItsProgram_deliversAtTheEnd() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    JavaProcess program =
        start("address=" + sidecar.ingestAddress() + ",interval=1h,labels=app=x,labels=zone=a");
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("hdr_sidecar_client_harvested_values_total\\{.*} [1-9]"));
    assertThat(sidecar.metrics()).doesNotContain("jvm_hiccup_raw_seconds_count");

    end(program);

    assertThat(figure(sidecar, RAW, "count")).isPositive();
  }

  @Test
  void agent_withAWrongArgument_saysSoInOneLineAndLetsTheProgramRun() throws Exception {
    JavaProcess program = start("interval=abc");

    end(program);

    assertThat(program.output().lines())
        .containsExactly(
            "hdr-sidecar agent: measures nothing: argument interval: must be a whole number with a"
                + " unit, such as 500ms, 10s, 1m or 1h: abc",
            "running");
  }

  @Test
  void agent_withoutASidecar_letsTheProgramRunAndEnd() throws Exception {
    end(start("address=unix://" + directory.resolve("nobody.sock") + ",interval=50ms"));
  }
}
