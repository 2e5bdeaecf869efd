package io.hdrsidecar.sidecar.access;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One reading of the files of an {@link AccessConfig}; empty where none is configured. */
record AccessFiles(Buffer certificate, Buffer key, Buffer clientCa, Buffer tokens) {
  /** More than any certificate chain; a path to something endless must not fill the memory. */
  private static final int MAX_BYTES = 1 << 20;

  static AccessFiles read(AccessConfig config) throws IOException {
    TlsConfig tls = config.tls();
    return new AccessFiles(
        read(tls == null ? null : tls.certificate()),
        read(tls == null ? null : tls.key()),
        read(tls == null ? null : tls.clientCa()),
        read(config.tokenFile()));
  }

  /** The tokens alone. */
  static AccessFiles of(Path tokenFile) throws IOException {
    Buffer none = Buffer.buffer();
    return new AccessFiles(none, none, none, read(tokenFile));
  }

  /** What is in one file; nothing if there is none. */
  static Buffer read(@Nullable Path file) throws IOException {
    if (file == null) {
      return Buffer.buffer();
    }
    if (!Files.exists(file)) {
      throw new IOException("no such file: " + file);
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file) || Files.size(file) > MAX_BYTES) {
      throw new IOException("must be a readable file of at most " + MAX_BYTES + " bytes: " + file);
    }
    return Buffer.buffer(Files.readAllBytes(file));
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
