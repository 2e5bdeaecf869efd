package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;

/**
 * Where the webhook listens and what may be sent to it.
 *
 * @param host address to listen on
 * @param port port, 0 for a free one
 * @param access its certificate: API servers speak to webhooks over TLS only
 * @param limits of connections and time
 * @param maxBodyBytes longest review, 1 KiB or more
 */
public record InjectConfig(
    String host, int port, AccessConfig access, HttpLimits limits, int maxBodyBytes) {
  private static final int MIN_BODY_BYTES = 1024;

  /** Checks the ranges; throws IllegalArgumentException. */
  public InjectConfig {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
    }
    if (!access.isEncrypted()) {
      throw new IllegalArgumentException("access must have a certificate: API servers need TLS");
    }
    if (maxBodyBytes < MIN_BODY_BYTES) {
      throw new IllegalArgumentException(
          "maxBodyBytes must be at least " + MIN_BODY_BYTES + ": " + maxBodyBytes);
    }
  }
}
