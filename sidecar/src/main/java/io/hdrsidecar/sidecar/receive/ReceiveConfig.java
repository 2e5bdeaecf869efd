package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.access.AccessConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where clients connect, what is asked of them, and what they may cost.
 *
 * @param host address to listen on
 * @param port TCP port, 0 to 65535; 0 picks a free one
 * @param unix a Unix socket to listen on as well, or null for none
 * @param access what clients must show; the token on both ways, TLS over TCP alone
 * @param limits what clients may cost
 */
public record ReceiveConfig(
    String host,
    int port,
    @Nullable UnixSocketConfig unix,
    AccessConfig access,
    ReceiveLimits limits) {
  /** Checks the ranges; throws IllegalArgumentException. */
  public ReceiveConfig {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be 0..65535: " + port);
    }
  }

  /** Open to all who can connect. */
  public ReceiveConfig(String host, int port, @Nullable Path unixSocket, ReceiveLimits limits) {
    this(
        host,
        port,
        unixSocket == null ? null : new UnixSocketConfig(unixSocket, null, null),
        AccessConfig.OPEN,
        limits);
  }

  /** Path of the Unix socket, or null for none. */
  public @Nullable Path unixSocket() {
    return unix == null ? null : unix.path();
  }
}
