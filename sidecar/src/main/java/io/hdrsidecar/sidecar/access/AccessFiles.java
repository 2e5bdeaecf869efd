package io.hdrsidecar.sidecar.access;

import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One reading of the files of an {@link AccessConfig}; empty where none is configured. */
record AccessFiles(Buffer certificate, Buffer key, Buffer clientCa, Buffer tokens) {
  static final String CERTIFICATE = "tls.certificate";
  static final String KEY = "tls.key";
  static final String CLIENT_CA = "tls.client-ca";

  /** More than any certificate chain; a path to something endless must not fill the memory. */
  private static final int MAX_BYTES = 1 << 20;

  /**
   * All of them.
   *
   * @param listener whose they are, as its settings begin
   * @throws IOException naming the setting and the file
   */
  static AccessFiles read(String listener, AccessConfig config) throws IOException {
    TlsConfig tls = config.tls();
    return new AccessFiles(
        read(CERTIFICATE, tls == null ? null : tls.certificate()),
        read(KEY, tls == null ? null : tls.key()),
        read(CLIENT_CA, tls == null ? null : tls.clientCa()),
        read(tokenFile(listener), config.tokenFile()));
  }

  /** The tokens alone. */
  static AccessFiles tokens(String listener, Path tokenFile) throws IOException {
    Buffer none = Buffer.buffer();
    return new AccessFiles(none, none, none, read(tokenFile(listener), tokenFile));
  }

  /** The setting of a listener's tokens. */
  static String tokenFile(String listener) {
    return listener + ".token-file";
  }

  /** What is in the file of one setting; nothing if there is none. */
  static Buffer read(String setting, @Nullable Path file) throws IOException {
    try {
      return file == null ? Buffer.buffer() : Buffer.buffer(WholeFile.bytes(file, MAX_BYTES));
    } catch (IOException e) {
      throw new IOException(setting + ": " + CauseText.of(e), e);
    }
  }

  /** Whether TLS is set up the same way by both. */
  boolean sameTls(AccessFiles other) {
    return certificate.equals(other.certificate)
        && key.equals(other.key)
        && clientCa.equals(other.clientCa);
  }

  boolean sameTokens(AccessFiles other) {
    return tokens.equals(other.tokens);
  }
}
