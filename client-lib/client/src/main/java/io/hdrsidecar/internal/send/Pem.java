package io.hdrsidecar.internal.send;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys as tools write them: Base64 between BEGIN and END (RFC 7468). */
public final class Pem {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END");

  /** A PKCS #8 key does not say which of the JDK's factories reads it without being parsed. */
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  private Pem() {}

  /** All certificates, in their order; at least one. */
  public static Certificate[] certificates(byte[] pem) throws GeneralSecurityException {
    Collection<? extends Certificate> certificates =
        CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("no certificate in it");
    }
    return certificates.toArray(Certificate[]::new);
  }

  /** The one private key, which must be PKCS #8 and not encrypted. */
  public static PrivateKey privateKey(byte[] pem) throws GeneralSecurityException {
    Matcher found = PRIVATE_KEY.matcher(new String(pem, StandardCharsets.US_ASCII));
    if (!found.find()) {
      throw new GeneralSecurityException("no private key in it");
    }
    if (!found.group(1).isEmpty()) {
      throw new GeneralSecurityException(
          "private key must be in PKCS #8, not encrypted: convert it with"
              + " openssl pkcs8 -topk8 -nocrypt");
    }
    return decode(found.group(2));
  }

  private static PrivateKey decode(String base64) throws GeneralSecurityException {
    PKCS8EncodedKeySpec encoded;
    try {
      encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("private key is not Base64", e);
    }
    GeneralSecurityException unread =
        new GeneralSecurityException("private key must be one of " + ALGORITHMS);
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        unread.addSuppressed(e);
      }
    }
    throw unread;
  }
}
