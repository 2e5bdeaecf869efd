package io.hdrsidecar.sidecar.access;

import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509KeyManager;

/**
 * TLS as a listener speaks it, from files that were checked: they can be read, and the key is that
 * of the certificate.
 *
 * @param options for Vert.x
 * @param expiry when the certificate ends
 */
record ServerTls(ServerSSLOptions options, Instant expiry) {
  private static final long HANDSHAKE_SECONDS = 10;
  private static final Pattern FORWARD_SECRET = Pattern.compile("^TLS_((EC)?DHE_|AES_|CHACHA20_)");
  private static final byte[] PROBE = {1, 2, 3};

  /** Throws IOException saying which file is wrong. */
  static ServerTls of(TlsConfig config, AccessFiles files, Vertx vertx) throws IOException {
    PemKeyCertOptions own =
        new PemKeyCertOptions().setCertValue(files.certificate()).setKeyValue(files.key());
    X509Certificate certificate = checkOwn(config, own, vertx);
    ServerSSLOptions options = new ServerSSLOptions();
    options.setKeyCertOptions(own);
    options.setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"));
    check("TLS: ", ServerTls::forwardSecretSuites).forEach(options::addEnabledCipherSuite);
    options.setSslHandshakeTimeout(HANDSHAKE_SECONDS).setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
    options.setUseAlpn(false);
    if (config.clientCa() != null) {
      PemTrustOptions clients = new PemTrustOptions().addCertValue(files.clientCa());
      check(
          "tls.client-ca " + config.clientCa() + ": ", () -> clients.getTrustManagerFactory(vertx));
      options.setTrustOptions(clients).setClientAuth(ClientAuth.REQUIRED);
    }
    return new ServerTls(options, certificate.getNotAfter().toInstant());
  }

  /** The same for a server that does not listen yet. */
  void applyTo(NetServerOptions server) {
    server
        .setSsl(true)
        .setKeyCertOptions(options.getKeyCertOptions())
        .setTrustOptions(options.getTrustOptions())
        .setEnabledSecureTransportProtocols(options.getEnabledSecureTransportProtocols())
        .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
        .setClientAuth(options.getClientAuth())
        .setUseAlpn(false);
    options.getEnabledCipherSuites().forEach(server::addEnabledCipherSuite);
  }

  /**
   * The JDK's suites, in its order, without those whose sessions can be read later by one that gets
   * the key of the certificate: TLS 1.2 with the key exchange RSA, or ECDH that is not ephemeral.
   */
  private static List<String> forwardSecretSuites() throws GeneralSecurityException {
    return Arrays.stream(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites())
        .filter(suite -> FORWARD_SECRET.matcher(suite).find())
        .toList();
  }

  private static X509Certificate checkOwn(TlsConfig config, PemKeyCertOptions own, Vertx vertx)
      throws IOException {
    return check(
        "tls.certificate " + config.certificate() + " and tls.key " + config.key() + ": ",
        () -> {
          for (KeyManager manager : own.getKeyManagerFactory(vertx).getKeyManagers()) {
            if (manager instanceof X509KeyManager keys) {
              return checkPair(keys);
            }
          }
          throw new GeneralSecurityException("no certificate in it");
        });
  }

  /** A renewal writes two files; between the two, the pair does not fit and must not be used. */
  private static X509Certificate checkPair(X509KeyManager keys) throws GeneralSecurityException {
    for (String type : new String[] {"EC", "RSA", "EdDSA"}) {
      String[] aliases = keys.getServerAliases(type, null);
      if (aliases != null && aliases.length > 0) {
        X509Certificate certificate = keys.getCertificateChain(aliases[0])[0];
        requirePair(keys.getPrivateKey(aliases[0]), certificate.getPublicKey());
        return certificate;
      }
    }
    throw new GeneralSecurityException("certificate must be of an EC, RSA or EdDSA key");
  }

  private static void requirePair(PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    String algorithm =
        switch (publicKey.getAlgorithm().toUpperCase(Locale.ROOT)) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(PROBE);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(publicKey);
    verifier.update(PROBE);
    if (!verifier.verify(signature)) {
      throw new GeneralSecurityException("the key is not that of the certificate");
    }
  }

  /** What may fail with any exception. */
  private interface Check<T> {
    T run() throws Exception;
  }

  /** Vert.x promises no particular exception for bytes that are no PEM. */
  private static <T> T check(String what, Check<T> check) throws IOException {
    try {
      return check.run();
    } catch (Exception e) {
      throw new IOException(what + (e.getMessage() == null ? e : e.getMessage()), e);
    }
  }
}
