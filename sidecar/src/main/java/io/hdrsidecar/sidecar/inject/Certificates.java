package io.hdrsidecar.sidecar.inject;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes an authority and one certificate that it vouches for, with the JDK's keytool, which is a
 * part of {@code java.base} and so of every Java runtime, also where the command of that name is
 * not. The authority's key is forgotten: nobody can make a second certificate that API servers
 * would trust, and a renewal makes a new authority.
 */
public final class Certificates {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String AUTHORITY = "authority";
  private static final String SERVER = "server";

  /** Files of a Secret of type kubernetes.io/tls, as cert-manager names them, too. */
  private static final String CERTIFICATE_FILE = "tls.crt";

  private static final String KEY_FILE = "tls.key";
  private static final String AUTHORITY_FILE = "ca.crt";

  private final String alternativeName;
  private final int days;
  private final Path folder;

  /**
   * What is to be made.
   *
   * @param name host name, as the API server calls the webhook: {@code
   *     hdr-sidecar-inject.hdr-sidecar.svc}
   * @param days how long it is valid, 1 or more
   * @param folder gets the files; made if it is not there
   */
  Certificates(String name, int days, Path folder) {
    this(days, folder, "dns:" + name);
  }

  private Certificates(int days, Path folder, String alternativeName) {
    this.alternativeName = alternativeName;
    this.days = days;
    this.folder = folder;
  }

  /**
   * Makes {@code tls.crt}, {@code tls.key} and {@code ca.crt} for a server that lives for a day.
   *
   * @param alternativeName what clients connect to: {@code dns:localhost}, {@code ip:127.0.0.1}
   * @param folder gets the files; made if it is not there
   * @throws IOException saying what could not be done
   */
  public static void makeForADay(String alternativeName, Path folder) throws IOException {
    new Certificates(1, folder, alternativeName).make();
  }

  /**
   * Makes {@code tls.crt}, {@code tls.key} and {@code ca.crt}. Of an older {@code ca.crt}, what is
   * still valid stays in the new one: until all servers have the new certificate, API servers trust
   * both.
   *
   * @return what {@code caBundle} of a webhook has to be
   * @throws IOException saying what could not be done
   */
  String make() throws IOException {
    Files.createDirectories(folder);
    Path store =
        Files.createTempFile(
            folder, // in a container nothing else can be written to
            "hdr-sidecar",
            ".p12",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.delete(store); // keytool takes no empty file
      return make(store);
    } catch (GeneralSecurityException e) {
      throw new IOException("certificates cannot be made: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(store);
    }
  }

  private String make(Path store) throws IOException, GeneralSecurityException {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    String password = HexFormat.of().formatHex(secret);
    keytool(
        store,
        password,
        List.of("-alias", AUTHORITY, "-dname", "CN=hdr-sidecar inject"),
        List.of("-ext", "bc:critical=ca:true,pathlen:0", "-ext", "ku:critical=keyCertSign"));
    keytool(
        store,
        password,
        List.of("-alias", SERVER, "-dname", "CN=hdr-sidecar inject server", "-signer", AUTHORITY),
        List.of("-ext", "san=" + alternativeName, "-ext", "eku=serverAuth"),
        List.of("-ext", "ku:critical=digitalSignature"));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password.toCharArray());
    }
    String authorities = pem(keys.getCertificate(AUTHORITY)) + stillValid();
    Files.writeString(folder.resolve(CERTIFICATE_FILE), pem(keys.getCertificate(SERVER)));
    writeSecret(
        folder.resolve(KEY_FILE),
        pem("PRIVATE KEY", keys.getKey(SERVER, password.toCharArray()).getEncoded()));
    Files.writeString(folder.resolve(AUTHORITY_FILE), authorities);
    return Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.UTF_8));
  }

  /** The password goes through the environment, where other users cannot read it. */
  @SafeVarargs
  private void keytool(Path store, String password, List<String>... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // half the time
    command.addAll(List.of("-m", "java.base/sun.security.tools.keytool.Main"));
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-validity", Integer.toString(days)));
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass:env", "HDR_SIDECAR_STORE"));
    for (List<String> part : arguments) {
      command.addAll(part);
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HDR_SIDECAR_STORE", password);
    Process process = builder.start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool has failed: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroy();
    }
  }

  private String stillValid() throws IOException {
    Path file = folder.resolve(AUTHORITY_FILE);
    if (!Files.exists(file)) {
      return "";
    }
    StringBuilder valid = new StringBuilder();
    try {
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))) {
        if (certificate instanceof X509Certificate x509
            && x509.getNotAfter().toInstant().isAfter(Instant.now())) {
          valid.append(pem(certificate));
        }
      }
    } catch (CertificateException e) {
      throw new IOException(file + ": no certificates; delete it: " + e.getMessage(), e);
    }
    return valid.toString();
  }

  private static void writeSecret(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
  }

  private static String pem(Certificate certificate) throws CertificateException {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  private static String pem(String kind, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }
}
