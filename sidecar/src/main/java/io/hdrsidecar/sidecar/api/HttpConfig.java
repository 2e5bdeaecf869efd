package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the HTTP server listens, what it asks of those who ask, and its limits.
 *
 * @param access TLS and token
 */
public record HttpConfig(
    @Setting(
            key = "http.host",
            byDefault = "127.0.0.1",
            form = "address",
            help = "Where HTTP is served; loopback by default.")
        String host,
    @Setting(
            key = "http.port",
            byDefault = "9925",
            range = "0 to 65535",
            help = "Port for scrapes and queries; 0 picks a free one.")
        int port,
    @Setting(
            key = "http.max-body",
            byDefault = "16MiB",
            range = "1KiB to 1GiB",
            help = "Longest histogram log in one POST.")
        int maxBodyBytes,
    AccessConfig access,
    @Setting(
            key = "http.open-metrics",
            byDefault = "false",
            help = "Serve /metrics without a token.")
        boolean openMetrics,
    HttpLimits limits,
    QueryLimits queryLimits,
    @Setting(key = "explore.enabled", byDefault = "on", help = "Serve the web explorer at /.")
        boolean explorer,
    @Setting(
            key = "http.host-names",
            form = "names without port, separated by commas; empty for none",
            help =
                "Names by which HTTP on loopback may be asked (Host), besides localhost, 127.0.0.1"
                    + " and [::1]; for proxies that pass on the name they were asked by.",
            parser = HostNames.class)
        List<String> hostNames) {
  /** Takes a copy of the list. */
  public HttpConfig {
    hostNames = List.copyOf(hostNames);
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

  /** Names and addresses without port. */
  static final class HostNames implements SettingParser {
    private static final Pattern NAME =
        Pattern.compile("[\\w.-]+|\\[?[0-9A-Fa-f:.]*::?[0-9A-Fa-f:.]+]?");

    @Override
    public List<String> parse(String text, long heapBytes) {
      if (text.isBlank()) {
        return List.of();
      }
      List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
      for (String name : names) {
        if (!NAME.matcher(name).matches()) {
          throw new IllegalArgumentException(
              "must be names or addresses without port, such as metrics.example.org or [fd00::1]: "
                  + name);
        }
      }
      return names;
    }
  }
}
