package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.TestCertificates;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return run(Map.of(), args);
  }

  private int run(Map<String, String> environment, String... args) {
    CommandLine main = Main.commandLine(environment, new Termination(), args);
    main.setOut(new PrintWriter(out, true));
    main.setErr(new PrintWriter(err, true));
    return main.execute(args);
  }

  @Test
  void version_printsIt() {
    assertThat(run("version")).isZero();
    assertThat(out.toString()).startsWith("hdr-sidecar ");
  }

  @Test
  void versionFlag_printsTheSame() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString().strip()).isEqualTo(Version.line());
  }

  @Test
  void generateCompletion_printsAScript() {
    assertThat(run("generate-completion")).isZero();
    assertThat(out.toString()).contains("complete -F").contains("--ingest-port");
  }

  @Test
  void mistypedCommand_isAWrongCall_andTheCommandsAreSuggested() {
    assertThat(run("serv")).isEqualTo(2);
    assertThat(err.toString()).contains("'serv'").contains("serve");
  }

  @Test
  void noCommand_isAWrongCall() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("a command is required").contains("serve");
  }

  @Test
  void serve_unknownFlag_isAWrongCall() {
    assertThat(run("serve", "--ingest-prot", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("--ingest-prot");
  }

  @Test
  void serve_help_namesEverySetting() {
    assertThat(run("serve", "--help")).isZero();
    assertThat(out.toString())
        .contains("--ingest-port", "HDR_SIDECAR_INGEST_PORT", "ingest.port", "default: 9924");
  }

  @Test
  void serve_help_showsPercentSignsWithoutAWarning() {
    PrintStream before = System.err;
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
    try {
      assertThat(run("serve", "--help")).isZero();
    } finally {
      System.setErr(before);
    }
    assertThat(out.toString().replaceAll("\\s+", " ")).contains("1% to 90% of the heap (-Xmx)");
    assertThat(warnings.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void checkConfig_validOne_exitsWith0() {
    assertThat(run("serve", "--check-config", "--ingest-port=0")).isZero();
    assertThat(out.toString()).isEqualToIgnoringNewLines("configuration is valid");
  }

  @Test
  void checkConfig_flagGivenTwice_theLastOneWins() {
    assertThat(run("serve", "--check-config", "--ingest-port=x", "--ingest-port=1")).isZero();
    assertThat(run("serve", "--check-config", "--ingest-port=1", "--ingest-port=x")).isEqualTo(2);
    assertThat(err.toString()).startsWith("ingest.port: ");
  }

  @Test
  void checkConfig_severalProblems_listsAllAndExitsWith2() {
    assertThat(
            run(
                Map.of("HDR_SIDECAR_SERIES_MAX", "0"),
                "serve",
                "--check-config",
                "--ingest-port=x"))
        .isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("ingest.port: "))
        .anyMatch(line -> line.startsWith("series.max: "));
  }

  @Test
  void checkConfig_filesThatCannotBeUsed_listsAllAndExitsWith2(@TempDir Path folder)
      throws Exception {
    Path noToken = Files.createFile(folder.resolve("empty.token"));
    Path noPem = Files.writeString(folder.resolve("key.pem"), "not a key");
    Path file = Files.createFile(folder.resolve("file"));

    int exit =
        run(
            "serve",
            "--check-config",
            "--tls-certificate=" + folder.resolve("none.pem"),
            "--tls-key=" + noPem,
            "--ingest-token-file=" + noToken,
            "--http-token-file=" + folder.resolve("none.token"),
            "--ingest-unix-socket=" + folder.resolve("none/hdr.sock"),
            "--journal-directory=" + file.resolve("journal"));

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(5)
        .anyMatch(
            line -> line.equals("tls.certificate: no such file: " + folder.resolve("none.pem")))
        .anyMatch(
            line ->
                line.startsWith("ingest.token-file: must hold 1 to 16 tokens")
                    && line.endsWith(": " + noToken))
        .anyMatch(
            line -> line.equals("http.token-file: no such file: " + folder.resolve("none.token")))
        .anyMatch(line -> line.startsWith("ingest.unix-socket: no such folder: "))
        .anyMatch(line -> line.equals("journal.directory: must be a folder, is a file: " + file));
  }

  @Test
  void checkConfig_filesThatFit_exitsWith0(@TempDir Path folder) throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.authority("ours");
    TestCertificates.Pair pair = certificates.issue("localhost", "ours");
    Path token = Files.writeString(folder.resolve("token"), "secret");

    int exit =
        run(
            "serve",
            "--check-config",
            "--tls-certificate=" + pair.certificate(),
            "--tls-key=" + pair.key(),
            "--ingest-token-file=" + token,
            "--journal-directory=" + folder.resolve("new/journal"));

    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void checkConfig_mistypedVariable_exitsWith2() {
    assertThat(run(Map.of("HDR_SIDECAR_HTTP_PRT", "1"), "serve", "--check-config")).isEqualTo(2);
    assertThat(err.toString()).startsWith("HDR_SIDECAR_HTTP_PRT: no such setting");
  }

  @Test
  void serve_portTaken_saysSoAndExitsWith1() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("serve", "--http-port=0", "--ingest-port=" + taken.getLocalPort()))
          .isEqualTo(1);
      assertThat(err.toString())
          .startsWith(
              "cannot start: ingest.port: 127.0.0.1:" + taken.getLocalPort() + " is in use;");
    }
  }

  @Test
  void serve_addressTaken_namesTheSettingOfTheWholeAddress() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String[] serve = {"serve", "--http-port=0", "--ingest-port=0", ""};
    try (ServerSocket otlp = new ServerSocket(0, 1, loopback);
        DatagramSocket statsd = new DatagramSocket(0, loopback)) {
      serve[3] = "--otlp-address=127.0.0.1:" + otlp.getLocalPort();
      assertThat(run(serve)).isEqualTo(1);
      serve[3] = "--statsd-udp-address=127.0.0.1:" + statsd.getLocalPort();
      assertThat(run(serve)).isEqualTo(1);
      String fix =
          " is in use; end what listens there, or choose another port (0 takes a free one)";
      assertThat(err.toString().lines())
          .containsExactly(
              "cannot start: otlp.address: 127.0.0.1:" + otlp.getLocalPort() + fix,
              "cannot start: statsd.udp-address: 127.0.0.1:" + statsd.getLocalPort() + fix);
    }
  }
}
