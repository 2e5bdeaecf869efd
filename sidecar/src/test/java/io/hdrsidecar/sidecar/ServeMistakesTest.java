package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A configuration that cannot be used: one sentence with its setting, and 2. */
@Timeout(value = 120, unit = TimeUnit.SECONDS) // Where a mistake is not found, the sidecar runs.
class ServeMistakesTest {
  private final Path folder;
  private final Path file;
  private final StringWriter err = new StringWriter();

  ServeMistakesTest(@TempDir Path folder) throws Exception {
    this.folder = folder;
    this.file = Files.createFile(folder.resolve("file"));
    Files.writeString(
        folder.resolve("pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    Files.createSymbolicLink(folder.resolve("link"), file);
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("serve", "--ingest-port=0", "--http-port=0"));
    all.addAll(List.of(args));
    return execute(all.toArray(String[]::new));
  }

  private int execute(String... args) {
    CommandLine main = Main.commandLine(Map.of(), new Termination());
    main.setErr(new PrintWriter(err, true));
    return main.execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "--ingest-token-file=D/none@ ingest.token-file: no such file: D/none",
        "--http-token-file=D@ http.token-file: must be a file, is a folder: D",
        "--http-token-file=D/file@ http.token-file: must hold 1 to 16 tokens, one in a line:"
            + " D/file",
        "--sla-file=D/none@ sla.file: no such file: D/none",
        "--sla-file=D@ sla.file: must be a file, is a folder: D",
        "--config=D/none@ --config: no such file: D/none",
        "--journal-directory=D/file@ journal.directory: must be a folder, is a file: D/file",
        "--journal-directory=D/file/x@ journal.directory: must be a folder, is a file: D/file",
        "--spill-folder=D/file@ spill.folder: must be a folder, is a file: D/file",
        "--crash-folder=D/file@ crash.folder: must be a folder, is a file: D/file",
        "--ingest-unix-socket=D/none/s@ ingest.unix-socket: no such folder: D/none;"
            + " create it, or mount a volume there (in a pod: an emptyDir)",
        "--http-host=203.0.113.1@ cannot start: http.host: 203.0.113.1 is not an address of this"
            + " machine; 127.0.0.1 is loopback, 0.0.0.0 all of them",
        "--ingest-host=no.such.host.invalid@ cannot start: ingest.host: no such host:"
            + " no.such.host.invalid",
        "--ingest-unix-socket=D/file@ ingest.unix-socket: path is taken by another kind of file:"
            + " D/file",
        "--ingest-unix-group=nobody.here --ingest-unix-socket=D/s@ ingest.unix-group: no such"
            + " group: nobody.here",
        "--otlp-address=203.0.113.1:4318@ cannot start: otlp.address: 203.0.113.1 is not an address"
            + " of this machine; 127.0.0.1 is loopback, 0.0.0.0 all of them",
        "--otlp-address=no.such.host.invalid:4318@ cannot start: otlp.address: no such host:"
            + " no.such.host.invalid",
        "--statsd-udp-address=203.0.113.1:8125@ cannot start: statsd.udp-address: 203.0.113.1 is"
            + " not an address of this machine; 127.0.0.1 is loopback, 0.0.0.0 all of them",
        "--statsd-udp-address=203.0.113.1:8125 --statsd-unix-datagram=D/s@ cannot start:"
            + " statsd.udp-address: 203.0.113.1 is not an address of this machine; 127.0.0.1 is"
            + " loopback, 0.0.0.0 all of them",
        "--statsd-udp-address=no.such.host.invalid:8125@ cannot start: statsd.udp-address: no such"
            + " host: no.such.host.invalid",
        "--statsd-unix-datagram=D/file@ statsd.unix-datagram: path is taken by another kind of file:"
            + " D/file",
        "--statsd-unix-stream=D@ statsd.unix-stream: path is taken by another kind of file: D",
        "--ingest-unix-socket=D/link@ ingest.unix-socket: path is taken by another kind of file:"
            + " D/link",
        "--statsd-unix-stream=D/s --statsd-unix-group=nobody.here@ statsd.unix-group: no such"
            + " group: nobody.here",
        "--otlp-address=http://127.0.0.1:4318@ otlp.address: must be a host and a port, without"
            + " http://: http://127.0.0.1:4318 (from flag --otlp-address; expected: host:port, such"
            + " as 127.0.0.1:4318; empty for none)",
        "--statsd-udp-address=udp://127.0.0.1:8125@ statsd.udp-address: must be a host and a port,"
            + " without udp://: udp://127.0.0.1:8125 (from flag --statsd-udp-address; expected:"
            + " host:port, such as 127.0.0.1:8125; empty for none)",
        "--upstream-address=tcp://127.0.0.1:1 --upstream-token-file=D/none@ upstream.token-file: no"
            + " such file: D/none",
        "--upstream-address=tcp://127.0.0.1:1 --upstream-token-file=D@ upstream.token-file: must be"
            + " a file, is a folder: D",
        "--upstream-address=tcp://127.0.0.1:1 --upstream-token-file=D/file@ upstream.token-file:"
            + " token file must hold one line of at most 4096 characters: D/file",
        "--export-otlp-address=http://127.0.0.1:1 --export-token-file=D/none@"
            + " export.token-file: no such file: D/none",
        "--export-otlp-address=http://127.0.0.1:1 --export-headers-file=D@"
            + " export.headers-file: must be a file, is a folder: D",
        "--upstream-address=tls://127.0.0.1:1 --upstream-tls-ca=D/none@ upstream.tls-ca: no such"
            + " file: D/none",
        "--upstream-address=tls://127.0.0.1:1 --upstream-tls-ca=D@ upstream.tls-ca: must be a file,"
            + " is a folder: D",
        "--upstream-address=tls://127.0.0.1:1 --upstream-tls-ca=D/pem@ upstream.tls-ca: must have"
            + " certificates in PEM: D/pem: it cannot be parsed",
        "--upstream-address=tls://127.0.0.1:1 --upstream-tls-ca=D/file@ upstream.tls-ca: must have"
            + " certificates in PEM: D/file: no certificate in it",
        "--export-otlp-address=https://127.0.0.1:1 --export-tls-ca=D@ export.tls-ca: must"
            + " be a file, is a folder: D",
        "--export-otlp-address=https://127.0.0.1:1 --export-tls-ca=D/none@ export.tls-ca:"
            + " no such file: D/none",
        "--log-level=loud@ log.level: must be debug or info or warn or error: loud (from flag"
            + " --log-level; expected: debug or info or warn or error)",
      })
  void serve_unusableSetting_isNamedInOneSentence(String flags, String problem) {
    assertThat(run(inFolder(flags).split(" "))).isEqualTo(2);
    assertThat(err.toString()).isEqualTo(inFolder(problem) + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ingest-unix-socket", "statsd-unix-datagram", "statsd-unix-stream"})
  void serve_socketPathTooLong_namesTheSettingAndBothLengths(String flag) {
    String path = folder.resolve("s".repeat(100)).toString();

    assertThat(run("--" + flag + "=" + path)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            flag.replaceFirst("-", ".")
                + ": path of a Unix socket must have at most 100 bytes, has "
                + path.length()
                + ": "
                + path
                + " (from flag --"
                + flag
                + "; expected: path of at most 100 bytes; empty for none)\n");
  }

  private String inFolder(String text) {
    return text.replaceAll("\\bD\\b", folder.toString());
  }

  @Test
  void serve_tlsFilesMissing_eachIsNamedWithItsSetting() {
    assertThat(
            run(
                "--tls-certificate=" + folder.resolve("a"),
                "--tls-key=" + folder.resolve("b"),
                "--tls-client-ca=" + folder))
        .isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "tls.certificate: no such file: " + folder.resolve("a"),
            "tls.key: no such file: " + folder.resolve("b"),
            "tls.client-ca: must be a file, is a folder: " + folder);
  }

  @Test
  void serve_tlsFileTooLong_namesBothSizes() throws Exception {
    Files.write(file, new byte[(1 << 20) + 1]);

    assertThat(run("--tls-certificate=" + file, "--tls-key=" + file)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("tls.certificate: must have at most 1048576 bytes, has 1048577: " + file);
  }

  @ParameterizedTest
  @CsvSource({
    "--foo, Unknown option: '--foo'",
    "extra, Unmatched argument at index 3: 'extra'",
    "--drain, Missing required parameter for option '--drain' (<drain>)",
  })
  void serve_wrongCall_isAnsweredWithoutTheHelp(String argument, String problem) {
    assertThat(run(argument)).isEqualTo(2);
    assertThat(err.toString().lines()).containsExactly(problem, "Try 'hdr-sidecar serve --help'.");
  }

  @Test
  void serve_checkConfig_looksAtAllSocketsOfStatsd() {
    assertThat(
            execute(
                "serve",
                "--check-config",
                "--statsd-unix-datagram=" + file,
                "--statsd-unix-stream=" + folder,
                "--statsd-unix-group=nobody.here"))
        .isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "statsd.unix-datagram: path is taken by another kind of file: " + file,
            "statsd.unix-stream: path is taken by another kind of file: " + folder,
            "statsd.unix-group: no such group: nobody.here");
  }

  @Test
  void serve_checkConfig_listsEveryProblem() throws Exception {
    Files.writeString(
        file,
        "slas:\n  - {name: a, selector: a, windows: 9m, limits: {50%: 1s}}\n  - {name: b, limits:"
            + " {}}\n");

    assertThat(execute("serve", "--check-config", "--sla-file=" + file, "--ingest-port=nowhere"))
        .isEqualTo(2);
    assertThat(List.of(err.toString().split("\n")))
        .hasSize(5)
        .anyMatch(line -> line.startsWith("ingest.port: "))
        .contains("sla.file: " + file + ", line 2: not a known window: 9m; known: 1m")
        .contains(
            "sla.file: "
                + file
                + ", line 2: limits must have a row 100%, which says what must never be exceeded;"
                + " where nothing says so, 100%: none")
        .contains("sla.file: " + file + ", line 3: selector is missing");
  }
}
