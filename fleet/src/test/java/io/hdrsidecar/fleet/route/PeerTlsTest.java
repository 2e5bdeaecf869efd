package io.hdrsidecar.fleet.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.TlsConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.query.QueryException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that ask each other over TLS, with certificates that the JDK's keytool makes. */
@Timeout(120)
class PeerTlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir Path folder = Path.of("");

  private TlsConfig certificate(String name, String address) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-alias",
                    name,
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=ip:" + address,
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new TlsConfig(
        pem(name + ".pem", "CERTIFICATE", keys.getCertificate(name).getEncoded()),
        pem(name + ".key", "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()),
        null);
  }

  private Path pem(String file, String what, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(file),
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  private static RoutedNode node(int partition, TlsConfig tls, @Nullable Path peerCa)
      throws Exception {
    return new RoutedNode(
        partition,
        new AccessConfig(tls, null),
        new RouteConfig(Duration.ofSeconds(30), null, peerCa),
        HeapBudget.of(256 << 20));
  }

  @Test
  void query_oneCertificateForAll_isAnswered() throws Exception {
    TlsConfig own = certificate("nodes", "127.0.0.1");
    try (RoutedNode a = node(0, own, null);
        RoutedNode b = node(1, own, null)) {
      b.count("latency", "/x", 3, 1000);
      a.knows(b.address());
      assertThat(a.gathered()).isEqualTo(1);
    }
  }

  @Test
  void query_clientCertificates_areShown() throws Exception {
    TlsConfig own = certificate("nodes", "127.0.0.1");
    TlsConfig asking = new TlsConfig(own.certificate(), own.key(), own.certificate());
    try (RoutedNode a = node(0, asking, null);
        RoutedNode b = node(1, asking, null)) {
      b.count("latency", "/x", 3, 1000);
      a.knows(b.address());
      assertThat(a.gathered()).isEqualTo(1);
    }
  }

  @Test
  void query_certificateOfAnother_isTrustedWherePeerCaSaysSo() throws Exception {
    TlsConfig own = certificate("own", "127.0.0.1");
    TlsConfig other = certificate("other", "127.0.0.1");
    try (RoutedNode strict = node(0, own, null);
        RoutedNode told = node(0, own, other.certificate());
        RoutedNode b = node(1, other, null)) {
      b.count("latency", "/x", 3, 1000);
      strict.knows(b.address());
      told.knows(b.address());
      assertThat(told.gathered()).isEqualTo(1);
      assertThatThrownBy(strict::gathered)
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("node " + b.address() + " cannot be asked");
    }
  }

  @Test
  void query_certificateForAnotherName_isRefused() throws Exception {
    TlsConfig own = certificate("elsewhere", "192.0.2.1");
    try (RoutedNode a = node(0, own, null);
        RoutedNode b = node(1, own, null)) {
      a.knows(b.address());
      assertThatThrownBy(a::gathered)
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("node " + b.address() + " cannot be asked");
    }
  }
}
