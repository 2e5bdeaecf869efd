package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.demo.SidecarLauncher.RunningSidecar;
import io.hdrsidecar.testing.JavaProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the demo takes from its environment, and what it refuses. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class DemoSidecarTest {
  /** The demo says for the whole process what is logged; other tests of this one want it all. */
  @AfterEach
  void logAsBefore() throws IOException {
    LogManager.getLogManager().readConfiguration();
  }

  private static final Map<String, String> FREE_PORTS =
      Map.of("HDR_SIDECAR_HTTP_PORT", "0", "HDR_SIDECAR_INGEST_PORT", "0");

  private final StringWriter err = new StringWriter();

  private int demo(Map<String, String> environment, String... options) {
    String[] call = new String[options.length + 2];
    call[0] = "demo";
    call[1] = "--duration=100ms";
    System.arraycopy(options, 0, call, 2, options.length);
    CommandLine program = Main.commandLine(environment, new Termination(), "demo");
    program.setErr(new PrintWriter(err, true));
    return program.execute(call);
  }

  private static Map<String, String> withFreePorts(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(FREE_PORTS);
    all.putAll(variables);
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "HDR_SIDECAR_HTTP_PORT, 70000, http.port: must be a number from 0 to 65535: 70000",
    "HDR_SIDECAR_INGEST_PORT, x, ingest.port: must be a number from 0 to 65535: x",
    "HDR_SIDECAR_LOG_LEVEL, loud, log.level: must be debug or info or warn or error: loud",
    "HDR_SIDECAR_LOG_FORMAT, xml, log.format: must be logfmt or json: xml",
  })
  void demo_withAWrongValueInTheEnvironment_namesItAndExitsWith2(
      String variable, String value, String message) {
    assertThat(demo(withFreePorts(Map.of(variable, value)))).isEqualTo(2);
    assertThat(err.toString()).startsWith(message).contains("environment variable " + variable);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http-port", "--ingest-port"})
  void demo_withAPortThatCannotBe_namesTheFlagAndExitsWith2(String flag) {
    assertThat(demo(FREE_PORTS, flag + "=65536")).isEqualTo(2);
    assertThat(err.toString()).contains("must be a number from 0 to 65535: 65536", "flag " + flag);
  }

  @Test
  void demo_withAMistypedVariable_namesTheNearestAndExitsWith2() {
    assertThat(demo(withFreePorts(Map.of("HDR_SIDECAR_HTTP_PRT", "1")))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "HDR_SIDECAR_HTTP_PRT: no such setting (from the environment); the nearest is"
                + " HDR_SIDECAR_HTTP_PORT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP", "INGEST"})
  void demo_withATakenPortInTheEnvironment_saysSoAndExitsWith1(String listener) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      int exit = demo(withFreePorts(Map.of("HDR_SIDECAR_" + listener + "_PORT", port)));

      assertThat(exit).isEqualTo(1);
      assertThat(err.toString()).contains("127.0.0.1:" + port + " is in use");
    }
  }

  @Test
  void start_withHostsInTheEnvironment_listensThere() throws Exception {
    Map<String, String> hosts =
        Map.of("HDR_SIDECAR_HTTP_HOST", "127.0.0.2", "HDR_SIDECAR_INGEST_HOST", "127.0.0.3");
    try (RunningSidecar sidecar =
        DemoSidecar.launcher(withFreePorts(hosts), new Termination()).start(null, null)) {
      assertThat(sidecar.ingestAddress()).startsWith("tcp://127.0.0.3:");
      assertThat(sidecar.httpAddress().getHost()).isEqualTo("127.0.0.2");
      assertThat(status(sidecar)).isEqualTo(200);
    }
  }

  @Test
  void start_listeningOnAllAddresses_isAskedByANameThatBrowsersOpen() throws Exception {
    Map<String, String> ofImage = Map.of("HDR_SIDECAR_HTTP_HOST", "0.0.0.0");
    try (RunningSidecar sidecar =
        DemoSidecar.launcher(withFreePorts(ofImage), new Termination()).start(null, null)) {
      assertThat(sidecar.httpAddress().getHost()).isEqualTo("localhost");
      assertThat(status(sidecar)).isEqualTo(200);
    }
  }

  private static int status(RunningSidecar sidecar) throws Exception {
    HttpRequest ask = HttpRequest.newBuilder(sidecar.httpAddress().resolve("/-/ready")).build();
    return HttpClient.newHttpClient().send(ask, BodyHandlers.discarding()).statusCode();
  }

  /** The variables are those of the image, of a configured sidecar, and of a client. */
  @Test
  void demo_inTheEnvironmentOfASidecar_runsAndNamesWhatItDoesNotUse() throws Exception {
    ProcessBuilder demo =
        JavaProgram.builder(
            List.of(),
            Main.class,
            List.of("demo", "--duration=1500ms", "--rate=100", "--threads=2"));
    demo.environment().putAll(FREE_PORTS);
    demo.environment().put("HDR_SIDECAR_HTTP_HOST", "0.0.0.0");
    demo.environment().put("HDR_SIDECAR_INGEST_UNIX_SOCKET", "/run/hdr-sidecar/hdr-sidecar.sock");
    demo.environment().put("HDR_SIDECAR_INGEST_UNIX_MODE", "0660");
    demo.environment().put("HDR_SIDECAR_CONFIG", "/etc/hdr-sidecar/none.yaml");
    demo.environment().put("HDR_SIDECAR_WINDOWS", "none of these");
    demo.environment().put("HDR_SIDECAR_LOG_FORMAT", "json");
    demo.environment().put("HDR_SIDECAR_ADDRESS", "unix:///run/hdr-sidecar/hdr-sidecar.sock");
    Process process = demo.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output.lines())
          .filteredOn(line -> line.contains("the demo does not use"))
          .singleElement()
          .asString()
          .startsWith("{")
          .contains(
              "HDR_SIDECAR_CONFIG, HDR_SIDECAR_INGEST_UNIX_MODE, HDR_SIDECAR_INGEST_UNIX_SOCKET,"
                  + " HDR_SIDECAR_WINDOWS\"");
      assertThat(output)
          .containsPattern("explorer: http://localhost:\\d+/")
          .containsPattern(
              "curl -g 'http://localhost:\\d+/api/v1/histogram\\?series=demo_call\\{kind=\"service\"}&")
          .containsPattern("curl http://localhost:\\d+/metrics")
          .doesNotContainPattern("http\\S+%[0-9A-Fa-f]{2}");
    } finally {
      process.destroyForcibly();
    }
  }
}
