package io.hdrsidecar.sidecar.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.support.TestCertificates;
import io.hdrsidecar.sidecar.support.TestCertificates.Pair;
import io.hdrsidecar.sidecar.support.TricklingProxy;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each kind of client gets from a sidecar that speaks TLS, and from one that does not. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Long enough for several attempts of a client that nobody lets in. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static Path ca;
  private static Path otherCa;
  private static Pair server;
  private static Pair renewed;
  private static Pair expired;
  private static Pair client;
  private static Pair stranger;

  @BeforeAll
  static void makeCertificates(@TempDir Path made) throws Exception {
    TestCertificates certificates = new TestCertificates(made);
    ca = certificates.authority("ca");
    otherCa = certificates.authority("other-ca");
    server = certificates.issue("server", "ca");
    renewed = certificates.issue("renewed", "ca");
    expired = certificates.issueExpired("expired", "ca");
    client = certificates.issue("client", "ca");
    stranger = certificates.issue("stranger", "other-ca");
  }

  private static Sidecar start(Pair own, String... more) throws Exception {
    Map<String, String> flags =
        new HashMap<>(
            Map.of(
                "--ingest-port",
                "0",
                "--http-port",
                "0",
                "--tls-certificate",
                own.certificate().toString(),
                "--tls-key",
                own.key().toString()));
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    return Sidecar.start(ConfigLoader.load(flags, Map.of(), null));
  }

  private static Sidecar startPlain() throws Exception {
    return Sidecar.start(
        ConfigLoader.load(Map.of("--ingest-port", "0", "--http-port", "0"), Map.of(), null));
  }

  /** Whether a client with these settings gets its value through in time. */
  private static boolean delivers(ClientConfig.Builder settings, Duration patience) {
    ClientConfig config =
        settings
            .interval(Duration.ofMillis(50))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(100))
            .shutdownHook(false)
            .build();
    HdrSidecarClient sender = HdrSidecarClient.create(config);
    sender.recorder("checkout", Labels.empty()).record(4_000_000);
    return sender.close(patience).deliveredAll();
  }

  private static ClientConfig.Builder trusting(Sidecar sidecar, Path authority) {
    return ClientConfig.builder().address(sidecar.ingestAddress()).tlsCa(authority);
  }

  private static String otherScheme(String address, String scheme) {
    return scheme + address.substring(3);
  }

  @Test
  void client_trustingTheAuthority_delivers() throws Exception {
    try (Sidecar sidecar = start(server)) {
      assertThat(sidecar.ingestAddress()).startsWith("tls://");
      assertThat(delivers(trusting(sidecar, ca), PATIENCE)).isTrue();
      assertThat(get(sidecar.httpAddress(), ca)).contains("checkout_seconds_count 1");
    }
  }

  @ParameterizedTest(name = "pieces of up to {0} bytes")
  @ValueSource(ints = {7, 300, 5_000})
  void client_recordsInPieces_deliversEverythingOnce(int longestPiece) throws Exception {
    int series = 500;
    try (Sidecar sidecar = start(server, "--tls-client-ca", ca.toString(), "--http-tls", "on");
        TricklingProxy proxy =
            new TricklingProxy(URI.create(sidecar.ingestAddress()).getPort(), longestPiece, 42)) {
      ClientConfig config =
          ClientConfig.builder()
              .address("tls://127.0.0.1:" + proxy.port())
              .tlsCa(ca)
              .tlsCertificate(client.certificate(), client.key())
              .interval(Duration.ofMillis(100))
              .shutdownHook(false)
              .build();
      HdrSidecarClient sender = HdrSidecarClient.create(config);
      for (int i = 0; i < series; i++) {
        for (long value = 1; value <= 100; value++) {
          sender.recorder("many", Labels.of("n", "" + i)).record(value * value * 1_000);
        }
      }

      assertThat(sender.close(PATIENCE.multipliedBy(3)).deliveredAll()).isTrue();
      assertThat(sum(get(sidecar.httpAddress(), ca), "many_seconds_count"))
          .isEqualTo(series * 100L);
    }
  }

  private static long sum(String page, String metric) {
    return page.lines()
        .filter(line -> line.startsWith(metric + "{"))
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void client_trustingAnotherAuthority_sendsNothing() throws Exception {
    try (Sidecar sidecar = start(server)) {
      assertThat(delivers(trusting(sidecar, otherCa), SHORT)).isFalse();
      assertThat(get(sidecar.httpAddress(), ca)).doesNotContain("checkout");
    }
  }

  @Test
  void client_certificateExpired_sendsNothing() throws Exception {
    try (Sidecar sidecar = start(expired)) {
      assertThat(delivers(trusting(sidecar, ca), SHORT)).isFalse();
      assertThatThrownBy(() -> get(sidecar.httpAddress(), ca))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void client_certificateOfAnotherHost_sendsNothing() throws Exception {
    try (Sidecar sidecar = start(server)) {
      String byOtherName = sidecar.ingestAddress().replace("127.0.0.1", "127.0.0.2");

      assertThat(delivers(ClientConfig.builder().address(byOtherName).tlsCa(ca), SHORT)).isFalse();
    }
  }

  @Test
  void client_mutual_letsInTheOneWithACertificateOfOurs() throws Exception {
    try (Sidecar sidecar = start(server, "--tls-client-ca", ca.toString())) {
      assertThat(delivers(trusting(sidecar, ca), SHORT)).isFalse();
      assertThat(
              delivers(
                  trusting(sidecar, ca).tlsCertificate(stranger.certificate(), stranger.key()),
                  SHORT))
          .isFalse();
      assertThat(
              delivers(
                  trusting(sidecar, ca).tlsCertificate(client.certificate(), client.key()),
                  PATIENCE))
          .isTrue();
      assertThatThrownBy(() -> get(sidecar.httpAddress(), ca)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void http_mutualForIngestAlone_needsNoCertificate() throws Exception {
    try (Sidecar sidecar = start(server, "--tls-client-ca", ca.toString(), "--http-tls", "on")) {
      assertThat(get(sidecar.httpAddress(), ca)).contains("hdr_sidecar");
    }
  }

  @Test
  void plainClient_onATlsPort_isClosedAndSendsNothing() throws Exception {
    try (Sidecar sidecar = start(server)) {
      String address = otherScheme(sidecar.ingestAddress(), "tcp");

      assertThat(delivers(ClientConfig.builder().address(address), SHORT)).isFalse();
      try (Socket socket = plain(sidecar.ingestAddress())) {
        socket.getOutputStream().write(new byte[64]);
        assertThat(readAll(socket)).hasSizeLessThan(32);
      }
    }
  }

  /** An alert, or nothing, and then the end: a reset counts as one. */
  private static byte[] readAll(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] found = new byte[1024];
    int length = 0;
    try {
      for (int n = in.read(found); n > 0; n = in.read(found, length, found.length - length)) {
        length += n;
      }
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
    return Arrays.copyOf(found, length);
  }

  @Test
  void tlsClient_onAPlainPort_saysThatThereIsNoTls() throws Exception {
    try (Sidecar sidecar = startPlain()) {
      String address = otherScheme(sidecar.ingestAddress(), "tls");

      assertThat(delivers(ClientConfig.builder().address(address).tlsCa(ca), SHORT)).isFalse();
      try (SSLSocket socket = tls(URI.create(address), ca)) {
        assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
      }
    }
  }

  @Test
  void handshake_olderThanTls12_isRefused() throws Exception {
    try (Sidecar sidecar = start(server);
        SSLSocket socket = tls(URI.create(sidecar.ingestAddress()), ca)) {
      // The JDK's own client no longer speaks these either, so that both ends refuse.
      socket.setEnabledProtocols(new String[] {"TLSv1.1"});

      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void handshake_tls12And13_areBothSpoken() throws Exception {
    try (Sidecar sidecar = start(server)) {
      for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
        try (SSLSocket socket = tls(URI.create(sidecar.ingestAddress()), ca)) {
          socket.setEnabledProtocols(new String[] {version});
          socket.startHandshake();
          assertThat(socket.getSession().getProtocol()).isEqualTo(version);
        }
      }
    }
  }

  @Test
  void certificate_renewed_isTakenUpWithoutARestart(@TempDir Path folder) throws Exception {
    Pair files = new Pair(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    copy(server, files);
    try (Sidecar sidecar = start(files)) {
      URI ingest = URI.create(sidecar.ingestAddress());
      assertThat(serial(ingest)).isEqualTo(serial(server));

      copy(renewed, files);

      eventuallyServes(ingest, renewed);
      eventuallyServes(sidecar.httpAddress(), renewed);
      assertThat(delivers(trusting(sidecar, ca), PATIENCE)).isTrue();
    }
  }

  private static void copy(Pair from, Pair to) throws IOException {
    Files.copy(from.certificate(), to.certificate(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(from.key(), to.key(), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void eventuallyServes(URI address, Pair expected) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!serial(address).equals(serial(expected))) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private static BigInteger serial(URI address) throws Exception {
    try (SSLSocket socket = tls(address, ca)) {
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
    }
  }

  private static BigInteger serial(Pair pair) throws Exception {
    return certificate(pair.certificate()).getSerialNumber();
  }

  private static X509Certificate certificate(Path pem) throws Exception {
    try (InputStream in = Files.newInputStream(pem)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static SSLContext trusting(Path authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", certificate(authority));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static SSLSocket tls(URI address, Path authority) throws Exception {
    return (SSLSocket)
        trusting(authority)
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), address.getPort());
  }

  private static Socket plain(String address) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), URI.create(address).getPort());
  }

  private static String get(URI http, Path authority) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(http.resolve("/metrics")).timeout(PATIENCE).build();
    return HttpClient.newBuilder()
        .sslContext(trusting(authority))
        .build()
        .send(request, BodyHandlers.ofString())
        .body();
  }
}
