package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.send.Pem;
import io.hdrsidecar.sidecar.inject.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for the sidecar of a case, and who vouches for it.
 *
 * @param authority PEM file
 */
record KitCertificate(Path authority, SSLContext context) {
  private static final char[] NO_PASSWORD = {};

  /** A new one of a new authority, for {@code ip:127.0.0.1} or {@code dns:name}. */
  static KitCertificate make(Path parent, String alternativeName) throws IOException {
    Path folder = Files.createTempDirectory(parent, "tls");
    Certificates.makeForADay(alternativeName, folder);
    try {
      return new KitCertificate(folder.resolve("ca.crt"), context(folder));
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificate: " + e.getMessage(), e);
    }
  }

  private static SSLContext context(Path folder) throws IOException, GeneralSecurityException {
    Certificate[] chain = Pem.certificates(Files.readAllBytes(folder.resolve("tls.crt")));
    PrivateKey key = Pem.privateKey(Files.readAllBytes(folder.resolve("tls.key")));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    store.setKeyEntry("server", key, NO_PASSWORD, chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
