package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command {@code inject}: what it refuses, and the life of a real process. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class InjectCommandTest {
  private static final Pattern READY = Pattern.compile("event=ready https=https://\\S+:(\\d+)");

  private final Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  InjectCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private int run(String... arguments) {
    CommandLine program = Main.commandLine(Map.of(), new Termination());
    program.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return program.execute(arguments);
  }

  @Test
  void inject_withoutCertificate_saysWhatIsRequired() {
    assertThat(run("inject")).isEqualTo(2);
    assertThat(err.toString()).contains("--tls-certificate and --tls-key are required");
  }

  @Test
  void inject_certificateThatIsNotThere_namesTheFile() {
    Path missing = folder.resolve("none.crt");

    int code = run("inject", "--port=0", "--tls-certificate=" + missing, "--tls-key=" + missing);

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "--tls-certificate: no such file: " + missing, "--tls-key: no such file: " + missing);
  }

  @Test
  void inject_componentThatIsNotThere_namesTheFile() {
    Path missing = folder.resolve("no");

    int code = run("inject", "--tls-certificate=a", "--tls-key=b", "--component=" + missing);

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines())
        .startsWith("--component: no such file: " + missing.resolve("sidecar.yaml"));
  }

  @Test
  void certificates_outOfRange_namesTheRange() {
    assertThat(run("inject", "certificates", "--out=" + folder, "--days=0")).isEqualTo(2);
    assertThat(run("inject", "certificates", "--out=" + folder, "--dns=a_b")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--days must be from 1 to 3650: 0")
        .contains("--dns must be a DNS name such as web.shop.svc: a_b");
  }

  @Test
  void certificates_inFolder_printsTheBundleAndKeepsTheKeyToItself() throws Exception {
    Path made = folder.resolve("made");

    assertThat(run("inject", "certificates", "--out=" + made)).isZero();

    assertThat(out.toString().strip()).matches("[A-Za-z0-9+/]+=*");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(made.resolve("tls.key"))))
        .isEqualTo("rw-------");
  }

  /** Another JVM makes them, and it inherits what the variable says. */
  @Test
  void certificates_collectorNamedInTheEnvironment_areMade() throws Exception {
    Path made = folder.resolve("made");
    ProcessBuilder command =
        JavaProgram.builder(
            List.of("-XX:+UseParallelGC"),
            Main.class,
            List.of("inject", "certificates", "--out=" + made));
    command.environment().put("JAVA_TOOL_OPTIONS", "-XX:+UseParallelGC");
    Process process = command.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(made.resolve("tls.crt")).exists();
  }

  @Test
  void inject_onSigterm_endsWithZero() throws Exception {
    assertThat(run("inject", "certificates", "--dns=localhost", "--out=" + folder)).isZero();
    Path output = folder.resolve("output.txt");
    Process process =
        JavaProgram.builder(
                List.of(),
                Main.class,
                List.of(
                    "inject",
                    "--host=127.0.0.1",
                    "--port=0",
                    "--drain=100ms",
                    "--tls-certificate=" + folder.resolve("tls.crt"),
                    "--tls-key=" + folder.resolve("tls.key")))
            .redirectOutput(output.toFile())
            .start();
    try {
      awaitReady(process, output);

      process.destroy(); // SIGTERM

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(Files.readString(output)).contains("event=stopping signal=TERM");
      assertThat(Files.readString(output)).endsWith(" event=stopped\n");
    } finally {
      process.destroyForcibly();
    }
  }

  private static void awaitReady(Process process, Path output) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    Matcher ready = READY.matcher(Files.readString(output));
    while (!ready.find()) {
      assertThat(process.isAlive() && System.nanoTime() - deadline < 0)
          .as(Files.readString(output))
          .isTrue();
      Thread.sleep(20);
      ready = READY.matcher(Files.readString(output));
    }
  }
}
