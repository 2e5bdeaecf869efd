package io.hdrsidecar.internal.send;

import java.io.IOException;
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

  /**
   * Reads them, if there is TLS at this address.
   *
   * @throws IllegalArgumentException when they cannot be used, or there is none
   */
  public void requireUsable(SidecarAddress address) {
    if (address.isTls()) {
      try {
        new TlsContext(this).check();
      } catch (IOException e) {
        throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
      }
    } else if (!equals(NONE)) {
      throw new IllegalArgumentException(
          "TLS files need an address tls://host:port, or nothing is encrypted: " + address);
    }
  }
}
