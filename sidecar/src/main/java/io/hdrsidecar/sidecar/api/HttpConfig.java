package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.query.QueryLimits;
import java.util.List;

/**
 * Where the HTTP server listens, what it asks of those who ask, and its limits.
 *
 * @param host address to listen on, such as 127.0.0.1 or 0.0.0.0
 * @param port 1 to 65535, or 0 for a free one
 * @param maxBodyBytes longest body of a POST, at least 1 KiB
 * @param access TLS and token
 * @param openMetrics whether {@code /metrics} is served without a token
 * @param limits what connections and queries may cost
 * @param queryLimits what a query about the history may cost
 * @param explorer whether the web explorer is served
 * @param hostNames by which it may be asked on loopback, besides the names of loopback
 */
public record HttpConfig(
    String host,
    int port,
    int maxBodyBytes,
    AccessConfig access,
    boolean openMetrics,
    HttpLimits limits,
    QueryLimits queryLimits,
    boolean explorer,
    List<String> hostNames) {
  private static final int MIN_BODY_BYTES = 1024;

  /** Checks the ranges; throws IllegalArgumentException. */
  public HttpConfig {
    hostNames = List.copyOf(hostNames);
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

  /** With loopback's names alone. */
  public HttpConfig(
      String host,
      int port,
      int maxBodyBytes,
      AccessConfig access,
      boolean openMetrics,
      HttpLimits limits,
      QueryLimits queryLimits,
      boolean explorer) {
    this(host, port, maxBodyBytes, access, openMetrics, limits, queryLimits, explorer, List.of());
  }

  /** With the explorer and the default limits to queries about the history. */
  public HttpConfig(
      String host,
      int port,
      int maxBodyBytes,
      AccessConfig access,
      boolean openMetrics,
      HttpLimits limits) {
    this(
        host,
        port,
        maxBodyBytes,
        access,
        openMetrics,
        limits,
        QueryLimits.defaults(),
        true,
        List.of());
  }

  /** Open to all who can connect, with the default limits. */
  public HttpConfig(String host, int port, int maxBodyBytes) {
    this(host, port, maxBodyBytes, AccessConfig.OPEN, false, HttpLimits.defaults());
  }

  /** Loopback, port 9925, bodies up to 16 MiB. */
  public static HttpConfig defaults() {
    return new HttpConfig("127.0.0.1", 9925, 16 * 1024 * 1024);
  }
}
