package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS of one who connects, from the files as they are now. One thread at a time. */
public final class TlsContext {
  /** Guards a key store that never leaves memory. */
  private static final char[] NO_PASSWORD = {};

  private final TlsFiles files;
  private byte[][] contents = {};
  private @Nullable SSLContext context;

  /** Reads nothing yet. */
  public TlsContext(TlsFiles files) {
    this.files = files;
  }

  /**
   * Reads the files and checks that they can be used.
   *
   * @throws IOException naming the file and what is wrong
   */
  void check() throws IOException {
    current();
  }

  /**
   * An engine that talks TLS 1.2 or 1.3 with this host, and only with it: the name is compared with
   * the certificate's as for HTTPS (RFC 2818).
   */
  SSLEngine engine(String host, int port) throws IOException {
    SSLEngine engine = current().createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  /**
   * The same one as long as the files are: it remembers sessions, which saves handshakes.
   *
   * @throws IOException naming the file and what is wrong
   */
  public SSLContext current() throws IOException {
    byte[][] now = {read(files.ca()), read(files.certificate()), read(files.key())};
    SSLContext known = context;
    if (known != null && Arrays.deepEquals(now, contents)) {
      return known;
    }
    try {
      SSLContext made = SSLContext.getInstance("TLS");
      made.init(keys(now[1], now[2]), trust(now[0]), null);
      contents = now;
      context = made;
      return made;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private static byte[] read(@Nullable Path file) throws IOException {
    if (file == null) {
      return new byte[0];
    }
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException("TLS file does not exist: " + file, e);
    } catch (IOException e) {
      throw new IOException("TLS file cannot be read: " + file, e);
    }
  }

  private TrustManager @Nullable [] trust(byte[] ca) throws GeneralSecurityException, IOException {
    if (files.ca() == null) {
      return null; // whom the JVM trusts
    }
    KeyStore trusted = emptyStore();
    int number = 0;
    for (Certificate certificate : certificates(files.ca(), ca)) {
      trusted.setCertificateEntry("ca" + number++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private KeyManager @Nullable [] keys(byte[] certificate, byte[] key)
      throws GeneralSecurityException, IOException {
    if (files.certificate() == null || files.key() == null) {
      return null; // nothing to show
    }
    KeyStore own = emptyStore();
    Certificate[] chain = certificates(files.certificate(), certificate);
    try {
      own.setKeyEntry("client", Pem.privateKey(key), NO_PASSWORD, chain);
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException(files.key() + ": " + e.getMessage(), e);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(own, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static Certificate[] certificates(@Nullable Path file, byte[] pem)
      throws GeneralSecurityException {
    try {
      return Pem.certificates(pem);
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException(file + ": " + e.getMessage(), e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
