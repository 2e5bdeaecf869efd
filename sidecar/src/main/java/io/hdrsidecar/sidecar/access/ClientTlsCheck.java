package io.hdrsidecar.sidecar.access;

import io.hdrsidecar.internal.send.Pem;
import io.hdrsidecar.internal.send.TlsFiles;
import io.hdrsidecar.sidecar.input.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/** Looks at the files of TLS of one who connects, each by itself, before anything connects. */
public final class ClientTlsCheck {
  /** More than any certificate chain; a path to something endless must not fill the memory. */
  private static final int MAX_BYTES = 1 << 20;

  private ClientTlsCheck() {}

  /**
   * Reads them. Blocks.
   *
   * @param settings how their settings begin, such as {@code upstream}
   * @throws IllegalArgumentException naming setting and file, what was expected, and what is there
   */
  public static void requireUsable(String settings, TlsFiles files) {
    require(settings + ".tls-ca", files.ca(), "certificates in PEM", Pem::certificates);
    require(
        settings + ".tls-certificate",
        files.certificate(),
        "certificates in PEM",
        Pem::certificates);
    require(settings + ".tls-key", files.key(), "a private key in PEM", Pem::privateKey);
  }

  /** Makes something of what is in a file. */
  private interface PemReading {
    Object read(byte[] pem) throws GeneralSecurityException;
  }

  private static void require(
      String setting, @Nullable Path file, String expected, PemReading reading) {
    if (file == null) {
      return;
    }
    try {
      reading.read(WholeFile.bytes(file, MAX_BYTES));
    } catch (IOException e) {
      throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          setting + ": must have " + expected + ": " + file + reason(e), e);
    }
  }

  /** What Java says of bytes that it cannot parse begins with the name of a class. */
  private static String reason(GeneralSecurityException e) {
    return e.getCause() == null ? ": " + e.getMessage() : ": it cannot be parsed";
  }
}
