package io.hdrsidecar.sidecar.receive;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where clients connect, and what they may cost.
 *
 * @param host address to listen on
 * @param port TCP port, 0 to 65535; 0 picks a free one
 * @param unixSocket path of a Unix socket to listen on as well, or null for none; at most 100 bytes
 * @param limits what clients may cost
 */
public record ReceiveConfig(
    String host, int port, @Nullable Path unixSocket, ReceiveLimits limits) {
  /** The kernel keeps 108 bytes for the path, the last of them 0. */
  private static final int MAX_PATH_LENGTH = 100;

  /** Checks the ranges; throws IllegalArgumentException. */
  public ReceiveConfig {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be 0..65535: " + port);
    }
    if (unixSocket != null && unixSocket.toString().length() > MAX_PATH_LENGTH) {
      throw new IllegalArgumentException(
          "path of a Unix socket must have at most "
              + MAX_PATH_LENGTH
              + " characters: "
              + unixSocket);
    }
  }
}
