package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What listeners agree to with a certificate of RSA: nothing that its key can decrypt later. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ForwardSecrecyIT {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @RegisterExtension final Processes processes = new Processes();
  private final Path folder;

  ForwardSecrecyIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void handshake_eachSuiteOfTheJdk_isOnlyAgreedToWithEphemeralKeys() throws Exception {
    KeyStore keys = rsaKeys();
    SidecarProcess sidecar =
        processes.sidecar(
            0,
            "--tls-certificate=" + pem("CERTIFICATE", keys.getCertificate("x").getEncoded()),
            "--tls-key=" + pem("PRIVATE KEY", keys.getKey("x", PASSWORD).getEncoded()));
    SSLContext client = trusting(keys);

    for (int port : List.of(sidecar.httpPort(), URI.create(sidecar.ingestAddress()).getPort())) {
      List<String> agreed =
          Arrays.stream(client.getSupportedSSLParameters().getCipherSuites())
              .filter(suite -> agrees(client, port, suite))
              .toList();
      assertThat(agreed)
          .contains("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
          .allSatisfy(suite -> assertThat(suite).matches("TLS_((EC)?DHE_RSA_|AES_|CHACHA20_).*"));
    }
  }

  private static boolean agrees(SSLContext client, int port, String suite) {
    try (SSLSocket socket =
        (SSLSocket)
            client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
      boolean isNew = suite.matches("TLS_(AES|CHACHA20)_.*");
      socket.setEnabledProtocols(new String[] {isNew ? "TLSv1.3" : "TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.setSoTimeout(60_000);
      socket.startHandshake();
      return true;
    } catch (SSLException refused) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(suite, e);
    }
  }

  private KeyStore rsaKeys() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "x",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private Path pem(String kind, byte[] der) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    String text = "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
    return Files.writeString(folder.resolve(kind.replace(' ', '-') + ".pem"), text);
  }

  private static SSLContext trusting(KeyStore keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("x", keys.getCertificate("x"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
