package io.hdrsidecar.sidecar.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificates made for one test by the JDK's keytool, as PEM files in its folder. */
public final class TestCertificates {
  private static final String PASSWORD = "changeit";

  /** PEM files of a certificate and its key. */
  public record Pair(Path certificate, Path key) {}

  private final Path folder;
  private final Path store;

  /** Makes nothing yet. */
  public TestCertificates(Path folder) {
    this.folder = folder;
    this.store = folder.resolve("keys.p12");
  }

  /** An authority that can vouch for others; gives its certificate. */
  public Path authority(String name) throws Exception {
    keytool("-alias", name, "-dname", "CN=" + name, "-ext", "bc:c", "-validity", "2");
    return write(name).certificate();
  }

  /** A certificate for localhost that an authority vouches for, valid from now on. */
  public Pair issue(String name, String authority) throws Exception {
    return issue(name, authority, "-validity", "2");
  }

  /** The same, no longer valid since yesterday. */
  public Pair issueExpired(String name, String authority) throws Exception {
    return issue(name, authority, "-startdate", "-3d", "-validity", "2");
  }

  private Pair issue(String name, String authority, String... validity) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("-alias", name, "-dname", "CN=" + name, "-signer", authority, "-ext"));
    arguments.add("san=dns:localhost,ip:127.0.0.1");
    arguments.addAll(List.of(validity));
    keytool(arguments.toArray(String[]::new));
    return write(name);
  }

  /**
   * What a client needs that trusts an authority.
   *
   * @param own the name of a certificate that it shows; null for none
   */
  public SSLContext client(String authority, @Nullable String own) throws Exception {
    char[] password = PASSWORD.toCharArray();
    KeyStore made = load();
    KeyStore trusted = empty();
    trusted.setCertificateEntry(authority, made.getCertificate(authority));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    KeyStore shown = empty();
    if (own != null) {
      shown.setKeyEntry(own, made.getKey(own, password), password, made.getCertificateChain(own));
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(shown, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore empty() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    return keys;
  }

  private KeyStore load() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add("-J-XX:TieredStopAtLevel=1"); // half the time
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", PASSWORD));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(command + ": " + said);
    }
  }

  private Pair write(String alias) throws Exception {
    KeyStore keys = load();
    Certificate certificate = keys.getCertificate(alias);
    byte[] key = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
    return new Pair(
        Files.writeString(
            folder.resolve(alias + ".pem"), pem("CERTIFICATE", certificate.getEncoded())),
        Files.writeString(folder.resolve(alias + ".key"), pem("PRIVATE KEY", key)));
  }

  private static String pem(String kind, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }
}
