package io.hdrsidecar.sidecar.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class DemoCommandTest {
  private final StringWriter err = new StringWriter();
  private final AtomicReference<String> portsAskedFor = new AtomicReference<>("");

  /** Gets as far as the start of the sidecar, which fails as on a taken port. */
  private int run(String... options) {
    SidecarLauncher launcher =
        (ingestPort, httpPort) -> {
          portsAskedFor.set(ingestPort + " " + httpPort);
          throw new IOException("address in use");
        };
    return new CommandLine(new DemoCommand(launcher))
        .setErr(new PrintWriter(err, true))
        .execute(options);
  }

  @ParameterizedTest
  @CsvSource({
    "--duration=10, Invalid value for option '--duration'",
    "--duration=0s, duration must be positive",
    "--rate=0, rate must be",
    "--threads=0, threads must be",
    "--service=five-mode, must be four-mode or fixed:DURATION",
    "--service=fixed:4, Invalid value for option '--service'",
    "--seed=x, --seed",
    "--speed=1, --speed",
  })
  void execute_withAWrongOption_namesItAndExitsWith2(String option, String message) {
    assertThat(run(option)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(message).contains("Usage: demo");
    assertThat(portsAskedFor).hasValue("");
  }

  @Test
  void execute_withoutOptions_leavesThePortsToTheEnvironment() {
    run();

    assertThat(portsAskedFor).hasValue("null null");
  }

  @Test
  void execute_whenTheSidecarDoesNotStart_saysWhyAndExitsWith1() {
    assertThat(run("--ingest-port=0", "--http-port=1234")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(portsAskedFor).hasValue("0 1234");
    assertThat(err.toString()).isEqualToIgnoringNewLines("address in use");
  }
}
