package io.hdrsidecar.sidecar.http;

/**
 * Where the HTTP server listens, and its limits.
 *
 * @param host address to listen on, such as 127.0.0.1 or 0.0.0.0
 * @param port 1 to 65535, or 0 for a free one
 * @param maxBodyBytes longest body of a POST, at least 1 KiB
 */
public record HttpConfig(String host, int port, int maxBodyBytes) {
  private static final int MIN_BODY_BYTES = 1024;

  /** Checks the ranges; throws IllegalArgumentException. */
  public HttpConfig {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("host must not be empty");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535: " + port);
    }
    if (maxBodyBytes < MIN_BODY_BYTES) {
      throw new IllegalArgumentException(
          "maxBodyBytes must be at least " + MIN_BODY_BYTES + ": " + maxBodyBytes);
    }
  }

  /** Loopback, port 9925, bodies up to 16 MiB. */
  public static HttpConfig defaults() {
    return new HttpConfig("127.0.0.1", 9925, 16 * 1024 * 1024);
  }
}
