package io.hdrsidecar.sidecar.config;

import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The settings about who may connect, what HTTP may cost, and how the process ends. */
final class AccessSettings {
  private static final Pattern HOST_NAME =
      Pattern.compile("[\\w.-]+|\\[?[0-9A-Fa-f:.]*::?[0-9A-Fa-f:.]+]?");

  static final Setting<Optional<Set<PosixFilePermission>>> UNIX_MODE =
      new Setting<>(
          "ingest.unix-mode",
          "",
          "octal, such as 0660; empty for what the umask gives",
          "Permissions of the Unix socket; processes that may write to it may connect.",
          AccessSettings::mode);
  static final Setting<String> UNIX_GROUP =
      SettingTypes.optionalText(
          "ingest.unix-group",
          "name or number; empty for that of the process",
          "Group of the Unix socket.");

  static final Setting<Optional<Path>> TLS_CERTIFICATE =
      pem("tls.certificate", "Certificate of this sidecar, with its chain; taken up when renewed.");
  static final Setting<Optional<Path>> TLS_KEY =
      pem("tls.key", "Private key of the certificate, not encrypted.");
  static final Setting<Optional<Path>> TLS_CLIENT_CA =
      pem(
          "tls.client-ca",
          "Authorities that vouch for clients, which then must show a certificate.");
  static final Setting<TlsMode> INGEST_TLS = tls("ingest.tls", "TLS for clients over TCP.");
  static final Setting<TlsMode> HTTP_TLS = tls("http.tls", "TLS for scrapes and queries.");

  static final Setting<Optional<Path>> INGEST_TOKEN_FILE =
      tokens("ingest.token-file", "Tokens of which clients must send one; read again on change.");
  static final Setting<Optional<Path>> HTTP_TOKEN_FILE =
      tokens(
          "http.token-file",
          "Bearer tokens of which requests must show one, but for /-/healthy, /-/ready and"
              + " the explorer's files; read again on change.");
  static final Setting<Boolean> HTTP_OPEN_METRICS =
      SettingTypes.truth("http.open-metrics", "Serve /metrics without a token.");
  static final Setting<List<String>> HTTP_HOST_NAMES =
      new Setting<>(
          "http.host-names",
          "",
          "names without port, separated by commas; empty for none",
          "Names by which HTTP on loopback may be asked (Host), besides localhost, 127.0.0.1 and"
              + " [::1]; for proxies that pass on the name they were asked by.",
          AccessSettings::hostNames);
  static final Setting<Boolean> STRICT =
      SettingTypes.truth(
          "strict",
          "Refuse to start, instead of warning, when listening beyond loopback without TLS, or"
              + " without token or client certificates, and when settings allow more memory than"
              + " the heap has.");

  static final Setting<Integer> HTTP_MAX_CONNECTIONS =
      SettingTypes.integer(
          "http.max-connections", "256", 1, 100_000, "Most HTTP connections at a time.");
  static final Setting<Integer> HTTP_MAX_HEADER =
      SettingTypes.size(
          "http.max-header", "16KiB", "1KiB", "1MiB", "Longest request line, and most headers.");
  static final Setting<Duration> HTTP_HEADER_TIMEOUT =
      SettingTypes.duration(
          "http.header-timeout",
          "10s",
          "1s",
          "10m",
          "How long a new connection may take to send its first request's headers.");
  static final Setting<Duration> HTTP_REQUEST_TIMEOUT =
      SettingTypes.duration(
          "http.request-timeout",
          "60s",
          "1s",
          "1h",
          "How long a request may take, from the end of its headers to the end of its answer.");
  static final Setting<Duration> HTTP_IDLE_TIMEOUT =
      SettingTypes.duration(
          "http.idle-timeout",
          "120s",
          "1s",
          "1h",
          "How long a connection may wait for its next request.");
  static final Setting<Integer> QUERY_MAX_SERIES =
      SettingTypes.integer(
          "query.max-series", "10000", 1, 10_000_000, "Most series one query may look at.");

  static final Setting<Duration> DRAIN =
      SettingTypes.duration(
          "drain",
          "0s",
          "0s",
          "10m",
          "On SIGTERM: time for clients to finish, half of it, and for one more scrape.");
  static final Setting<Boolean> RELOAD =
      SettingTypes.truth("reload", "Read the configuration again on SIGHUP and POST /-/reload.");
  static final Setting<Duration> RELOAD_INTERVAL =
      SettingTypes.duration(
          "reload-interval",
          "0s",
          "0s",
          "1h",
          "How often to look whether the configuration file or sla.file has changed, and reload;"
              + " 0s for never. Needs reload.");

  static final List<Setting<?>> ALL =
      List.of(
          UNIX_MODE,
          UNIX_GROUP,
          INGEST_TLS,
          INGEST_TOKEN_FILE,
          HTTP_TLS,
          HTTP_TOKEN_FILE,
          HTTP_OPEN_METRICS,
          HTTP_HOST_NAMES,
          HTTP_MAX_CONNECTIONS,
          HTTP_MAX_HEADER,
          HTTP_HEADER_TIMEOUT,
          HTTP_REQUEST_TIMEOUT,
          HTTP_IDLE_TIMEOUT,
          QUERY_MAX_SERIES,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_CLIENT_CA,
          STRICT,
          DRAIN,
          RELOAD,
          RELOAD_INTERVAL);

  private AccessSettings() {}

  private static Setting<Optional<Path>> pem(String key, String description) {
    return SettingTypes.optionalPath(key, "PEM file; empty for none", description);
  }

  private static Setting<Optional<Path>> tokens(String key, String description) {
    return SettingTypes.optionalPath(key, "file, one token in a line; empty for none", description);
  }

  private static Setting<TlsMode> tls(String key, String description) {
    return new Setting<>(
        key,
        "",
        "off, on, or mutual for client certificates; empty for what tls.certificate and"
            + " tls.client-ca allow",
        description,
        TlsMode::parse);
  }

  private static List<String> hostNames(String text) {
    if (text.isBlank()) {
      return List.of();
    }
    List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    for (String name : names) {
      if (!HOST_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "must be names or addresses without port, such as metrics.example.org or [fd00::1]: "
                + name);
      }
    }
    return names;
  }

  private static Optional<Set<PosixFilePermission>> mode(String text) {
    if (text.isBlank()) {
      return Optional.empty();
    }
    if (!text.strip().matches("0?[0-7]{3}")) {
      throw new IllegalArgumentException("not an octal mode such as 0660: " + text);
    }
    int bits = Integer.parseInt(text.strip(), 8);
    StringBuilder letters = new StringBuilder();
    for (int i = 8; i >= 0; i--) {
      letters.append((bits >> i & 1) == 0 ? '-' : "xwr".charAt(i % 3));
    }
    return Optional.of(PosixFilePermissions.fromString(letters.toString()));
  }
}
