package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whoever can connect can make events happen, and not as many lines as he likes. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LogFloodIT {
  private static final int SENT = 10_000;
  private static final Pattern SUPPRESSED = Pattern.compile(" suppressed=(\\d+)");
  private static final Pattern METRIC =
      Pattern.compile("(?m)^hdr_sidecar_log_suppressed_total ([\\d.E]+)$");

  @RegisterExtension final Processes processes = new Processes();
  private final Path folder;

  LogFloodIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void handshakes_thatFail_areTwentyLinesAndThenOneASecond() throws Exception {
    Path made = certificates();
    SidecarProcess sidecar =
        processes.sidecar(
            0,
            "--ingest-tls=on",
            "--http-tls=off",
            "--reload",
            "--tls-certificate=" + made.resolve("tls.crt"),
            "--tls-key=" + made.resolve("tls.key"));
    URI ingest = URI.create(sidecar.ingestAddress());
    long began = System.nanoTime();
    for (int i = 0; i < SENT; i++) {
      knock(ingest);
    }
    Eventually.holds(() -> assertThat(lines(sidecar.output()) + leftOut(sidecar)).isEqualTo(SENT));

    assertThat(lines(sidecar.output())).isBetween(20L, 21 + secondsSince(began));
    assertThat(reload(sidecar)).isEqualTo(200);
    sidecar.awaitLine(Pattern.compile("event=reloaded"));
  }

  private static void knock(URI address) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write("no TLS here\n".getBytes(StandardCharsets.US_ASCII));
      while (socket.getInputStream().read() >= 0) {
        // What it answers is an alert, and then the end.
      }
    }
  }

  private static long lines(String output) {
    return output.lines().filter(line -> line.contains("event=handshake_failed")).count();
  }

  private static long leftOut(SidecarProcess sidecar) throws Exception {
    MatchResult metric = METRIC.matcher(sidecar.metrics()).results().findFirst().orElseThrow();
    return (long) Double.parseDouble(metric.group(1));
  }

  private static int reload(SidecarProcess sidecar) throws Exception {
    URI path = URI.create("http://localhost:" + sidecar.httpPort() + "/-/reload");
    HttpRequest request = HttpRequest.newBuilder(path).POST(BodyPublishers.noBody()).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void reviews_thatCannotBeRead_areBoundedLinesThatSayHowManyWereLeftOut() throws Exception {
    Path made = certificates();
    JavaProcess webhook =
        processes.start(
            List.of(
                "inject",
                "--host=127.0.0.1",
                "--port=0",
                "--drain=0s",
                "--tls-certificate=" + made.resolve("tls.crt"),
                "--tls-key=" + made.resolve("tls.key")));
    String port = webhook.awaitLine(Pattern.compile("https=https://\\S+:(\\d+)")).group(1);
    HttpClient client = HttpClient.newBuilder().sslContext(trusting(made)).build();
    HttpRequest review =
        HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/mutate/all"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{"))
            .build();
    long began = System.nanoTime();
    long[] sent = {0};
    while (sent[0] < SENT) {
      sent[0] += send(client, review);
    }
    // The last one that is written says how many were not.
    Eventually.holds(
        () -> {
          sent[0] += send(client, review);
          assertThat(told(webhook.output())).isEqualTo(sent[0]);
        });
    long lines = malformed(webhook.output()).size();
    assertThat(lines).isBetween(21L, 21 + secondsSince(began));
  }

  private static int send(HttpClient client, HttpRequest review) throws Exception {
    assertThat(client.send(review, BodyHandlers.discarding()).statusCode()).isEqualTo(400);
    return 1;
  }

  private static List<String> malformed(String output) {
    return output.lines().filter(line -> line.contains("event=malformed_review")).toList();
  }

  /** Lines, and those that they say were left out. */
  private static long told(String output) {
    return malformed(output).stream()
        .mapToLong(
            line ->
                1
                    + SUPPRESSED
                        .matcher(line)
                        .results()
                        .mapToLong(found -> Long.parseLong(found.group(1)))
                        .sum())
        .sum();
  }

  private static long secondsSince(long beganNanos) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos);
  }

  private Path certificates() throws InterruptedException {
    Path made = folder.resolve("made");
    JavaProcess certificates =
        processes.start(List.of("inject", "certificates", "--dns=localhost", "--out=" + made));
    assertThat(certificates.awaitExit()).as("%s", certificates).isZero();
    return made;
  }

  private static SSLContext trusting(Path made) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(made.resolve("ca.crt"))) {
      trusted.setCertificateEntry(
          "x", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
