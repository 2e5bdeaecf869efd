package io.hdrsidecar.internal.send;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the client's side of TLS is kept; PEM files, read again for each connection so that renewed
 * ones are taken up.
 *
 * @param ca who may vouch for the sidecar; null for whom the JVM trusts
 * @param certificate what the client shows of itself, with its chain; null for nothing
 * @param key private key of the certificate, PKCS #8; given or missing together with it
 */
public record TlsFiles(@Nullable Path ca, @Nullable Path certificate, @Nullable Path key) {
  /** The JVM's certificate authorities, and no certificate of the client's own. */
  public static final TlsFiles NONE = new TlsFiles(null, null, null);

  /** Throws IllegalArgumentException for one of certificate and key without the other. */
  public TlsFiles {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("TLS certificate and key must be given together");
    }
  }
}
