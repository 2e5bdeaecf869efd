package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.logs.LogFormat;
import io.hdrsidecar.sidecar.logs.LogLevel;
import io.hdrsidecar.testing.JavaProgram;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands besides {@code serve} log as the environment says. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LogSettingsTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "HDR_SIDECAR_LOG_LEVEL", "error",
          "HDR_SIDECAR_LOG_FORMAT", "json",
          "HDR_SIDECAR_HTTP_PORT", "another setting, not of the log");

  @Test
  void read_takesFlagBeforeEnvironmentBeforeDefault() throws Exception {
    assertThat(LogSettings.read(Map.of("--log-level", "debug"), ENVIRONMENT))
        .isEqualTo(new LogConfig(LogFormat.JSON, LogLevel.DEBUG));
    assertThat(LogSettings.read(Map.of(), ENVIRONMENT))
        .isEqualTo(new LogConfig(LogFormat.JSON, LogLevel.ERROR));
    assertThat(LogSettings.read(Map.of(), Map.of())).isEqualTo(LogConfig.DEFAULT);
  }

  @Test
  void quiet_isOfWarningsUnlessTheEnvironmentSaysOtherwise() throws Exception {
    assertThat(LogSettings.quiet(Map.of()))
        .isEqualTo(new LogConfig(LogFormat.LOGFMT, LogLevel.WARN));
    assertThat(LogSettings.quiet(Map.of("HDR_SIDECAR_LOG_LEVEL", "info")))
        .isEqualTo(LogConfig.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "inject --tls-certificate=a --tls-key=b",
        "log explore --no-open none.hlog",
        "demo --http-port=0 --ingest-port=0"
      })
  void anyServer_withAWrongLevelInTheEnvironment_namesItAndExitsWith2(String call) {
    String[] arguments = call.split(" ");
    StringWriter err = new StringWriter();
    Map<String, String> environment = Map.of("HDR_SIDECAR_LOG_LEVEL", "loud");
    CommandLine program = Main.commandLine(environment, new Termination(), arguments);

    int exit = program.setErr(new PrintWriter(err, true)).execute(arguments);

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString())
        .contains("log.level: must be ", ": loud (from environment variable HDR_SIDECAR_LOG_LEVEL");
  }

  @Test
  void inject_withAFormatInTheEnvironment_logsInIt(@TempDir Path folder) throws Exception {
    CommandLine program = Main.commandLine(Map.of(), new Termination());
    program.setOut(new PrintWriter(new StringWriter()));
    assertThat(program.execute("inject", "certificates", "--dns=localhost", "--out=" + folder))
        .isZero();
    List<String> call =
        List.of(
            "inject",
            "--host=127.0.0.1",
            "--port=0",
            "--tls-certificate=" + folder.resolve("tls.crt"),
            "--tls-key=" + folder.resolve("tls.key"));
    ProcessBuilder inject = JavaProgram.builder(List.of(), Main.class, call);
    inject.environment().put("HDR_SIDECAR_LOG_FORMAT", "json");
    Process process = inject.start();
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.lines().filter(line -> line.contains("https://127.0.0.1:")).findFirst())
          .hasValueSatisfying(line -> assertThat(line).startsWith("{").contains("\"ready\""));
    } finally {
      process.destroyForcibly();
    }
  }
}
