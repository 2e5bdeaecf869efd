package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
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

/** Listeners with a certificate of RSA: what they agree to, and what strangers may cost them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class TlsListenersIT {
  /** A record of a client's hello, of which 512 bytes should follow. */
  private static final byte[] BEGUN_HELLO = {22, 3, 1, 2, 0, 1, 0};

  private static final char[] PASSWORD = "changeit".toCharArray();

  @RegisterExtension final Processes processes = new Processes();
  private final Path folder;

  TlsListenersIT(@TempDir Path folder) {
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

  @Test
  void connectionsWithoutAHandshake_aThousandFromOneAddress_takeBoundedRoomAndNoProbesPlace()
      throws Exception {
    KeyStore keys = rsaKeys();
    SidecarProcess sidecar =
        processes.sidecarInJvm(
            List.of("-Xmx48m"),
            List.of(
                "--tls-certificate=" + pem("CERTIFICATE", keys.getCertificate("x").getEncoded()),
                "--tls-key=" + pem("PRIVATE KEY", keys.getKey("x", PASSWORD).getEncoded())));
    SSLContext client = trusting(keys);
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), sidecar.httpPort()));
        silent.get(i).getOutputStream().write(i % 2 == 0 ? new byte[0] : BEGUN_HELLO);
        if (i % 100 == 99) {
          assertThat(sidecar.openFiles()).as("after %s connections", i + 1).isLessThan(300);
          assertThat(healthy(client, sidecar.httpPort())).isEqualTo("HTTP/1.1 200");
        }
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** From an address of its own, as a kubelet's. */
  private static String healthy(SSLContext client, int port) throws IOException {
    InetAddress own = InetAddress.getByName("127.0.0.2");
    try (Socket socket =
        client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port, own, 0)) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(
              "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
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
