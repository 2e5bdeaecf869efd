package io.hdrsidecar.sidecar.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.TestCertificates;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code inject check} against a real webhook, and against what is none. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CheckCommandTest {
  private static TestCertificates certificates;
  private static Path ca;
  private static RunningWebhook webhook;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    certificates = new TestCertificates(folder);
    ca = certificates.authority("ca");
    webhook = new RunningWebhook(certificates.issue("server", "ca"), ca);
  }

  @AfterAll
  static void stop() {
    webhook.close();
  }

  private int check(String url, Path authorities) {
    CommandLine command = new CommandLine(new CheckCommand());
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute("--url=" + url, "--ca=" + authorities);
  }

  private static String url() {
    return "https://localhost:" + webhook.server.actualPort();
  }

  @Test
  void check_runningWebhook_endsWithZeroAndIsCountedThere() throws Exception {
    assertThat(check(url(), ca)).as("%s", err).isZero();

    assertThat(out.toString())
        .isEqualToIgnoringNewLines(url() + " adds the sidecar to a pod that asks for it");
    assertThat(webhook.get("/metrics").body()).contains("{result=\"injected\"} 1");
  }

  @Test
  void check_authorityThatApiServersWouldNotKnow_saysSo() throws Exception {
    Path other = certificates.authority("other");

    assertThat(check(url(), other)).isEqualTo(1);
    assertThat(err.toString()).startsWith(url() + ": ").contains("certification path");
  }

  @Test
  void check_nobodyThere_namesTheAddress() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }

    assertThat(check("https://localhost:" + port, ca)).isEqualTo(1);
    assertThat(err.toString()).startsWith("https://localhost:" + port + ": nobody answers");
  }

  @Test
  void check_fileThatIsNone_isNamed() throws Exception {
    Path text = Files.writeString(ca.resolveSibling("text"), "none");

    assertThat(check(url(), text)).isEqualTo(1);
    assertThat(check(url(), text.resolveSibling("missing"))).isEqualTo(1);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line ->
                assertThat(line).startsWith("--ca: " + text + ": must have certificates in PEM"),
            line ->
                assertThat(line)
                    .isEqualTo("--ca: no such file or folder: " + text.resolveSibling("missing")));
  }

  @Test
  void check_addressWithoutHttps_isRefused() {
    assertThat(check("http://localhost", ca)).isEqualTo(2);
    assertThat(err.toString())
        .contains("--url must be such as https://web.shop.svc: http://localhost");
  }
}
