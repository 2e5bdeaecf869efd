package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.internal.send.TlsContext;
import io.hdrsidecar.internal.send.TlsFiles;
import io.hdrsidecar.internal.send.TokenSource;
import io.hdrsidecar.sidecar.access.ClientTlsCheck;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where series are pushed, by OTLP or by remote write. It is here and not beside what pushes them,
 * of which nothing is loaded while it is off.
 *
 * @param temporality that of OTLP; remote write is cumulative
 * @param resource attributes of the resource that all series belong to
 */
public record ExportConfig(
    @Setting(
            key = "export.interval",
            byDefault = "15s",
            range = "1s to 1h",
            help = "How often series are pushed.")
        Duration interval,
    @Setting(
            key = OTLP_ADDRESS,
            form = URL,
            help =
                "Where series are pushed to by OTLP, such as http://127.0.0.1:4318; without a path"
                    + " /v1/metrics is meant.",
            parser = OtlpUrl.class)
        @Nullable URI otlpAddress,
    @Setting(
            key = REMOTE_WRITE_ADDRESS,
            form = URL,
            help =
                "Where series are pushed to by remote write 2.0, such as http://127.0.0.1:9090;"
                    + " without a path /api/v1/write is meant.",
            parser = RemoteWriteUrl.class)
        @Nullable URI remoteWriteAddress,
    @Setting(
            key = "export.timeout",
            byDefault = "10s",
            range = "100ms to 5m",
            help = "How long a request may take until it is answered.")
        Duration timeout,
    @Setting(
            key = "export.otlp.temporality",
            byDefault = "cumulative",
            help =
                "Whether points have all that was counted since the start of their series, or what"
                    + " was counted since the last point (delta).")
        Temporality temporality,
    @Setting(
            key = "export.max-buckets",
            byDefault = "160",
            range = "10 to 1000",
            help = "Most buckets of a point; the scale, at most 8, is chosen so that they suffice.")
        int maxBuckets,
    @Setting(key = "export.otlp.compression", byDefault = "gzip", help = "How requests are packed.")
        Packing compression,
    @Setting(
            key = TOKEN_FILE,
            form = "file of one line; empty for none",
            help = "Bearer token that is shown to the receiver; read again for each request.")
        @Nullable Path tokenFile,
    @Setting(
            key = HEADERS,
            form = "file with a line name: value for each; empty for none",
            help = "Further headers, such as the key of a service; read again for each request.")
        @Nullable Path headersFile,
    @Setting(
            key = "export.tls-ca",
            form = PEM,
            help = "Authorities that vouch for the receiver, in place of those that Java trusts.")
        @Nullable Path ca,
    @Setting(
            key = "export.tls-certificate",
            form = PEM,
            help = "Certificate that this sidecar shows to the receiver, with its chain.")
        @Nullable Path certificate,
    @Setting(
            key = "export.tls-key",
            form = PEM,
            help = "Private key of export.tls-certificate, not encrypted.")
        @Nullable Path key,
    @Setting(
            key = "export.drain",
            byDefault = "5s",
            range = "0s to 10m",
            help = "How long the end waits until everything is pushed.")
        Duration drain,
    Map<String, String> resource) {
  /** Where the receiver of OTLP listens. */
  public static final String OTLP_ADDRESS = "export.otlp.address";

  /** Where the receiver of remote write listens. */
  public static final String REMOTE_WRITE_ADDRESS = "export.remote-write.address";

  /** What the settings begin with that matter to OTLP alone. */
  static final String OTLP = "export.otlp.";

  static final String TOKEN_FILE = "export.token-file";
  static final String HEADERS = "export.headers-file";
  static final String URL = "http:// or https:// URL; empty for none";
  static final String PEM = "PEM file; empty for none";

  private static final int GRPC_PORT = 4317;
  private static final int MOST_TOKEN_BYTES = 4 * TokenSource.MAX_LENGTH;
  private static final int MOST_HEADER_BYTES = 16 << 10;
  private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)");

  /** Headers that HTTP itself, or this sidecar, sets. */
  private static final Set<String> OURS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "upgrade",
          "x-prometheus-remote-write-version");

  /** What a point tells. */
  public enum Temporality {
    CUMULATIVE,
    DELTA
  }

  /** How a request is packed. */
  public enum Packing {
    GZIP,
    NONE
  }

  /**
   * Throws IllegalArgumentException for another number of addresses than one, and for one of
   * certificate and key without the other.
   */
  public ExportConfig {
    if ((otlpAddress == null) == (remoteWriteAddress == null)) {
      throw new IllegalArgumentException(
          OTLP_ADDRESS
              + " or "
              + REMOTE_WRITE_ADDRESS
              + " must be set, and not both: a sidecar has one receiver; leave out one");
    }
    temporality = remoteWriteAddress == null ? temporality : Temporality.CUMULATIVE;
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "export.tls-certificate and export.tls-key must be set together");
    }
    resource = Map.copyOf(resource);
  }

  /**
   * Reads the files that are named.
   *
   * @throws IllegalArgumentException naming the setting, when they cannot be used, or there is no
   *     TLS for them
   */
  public void requireUsable() {
    boolean hasTlsFiles = ca != null || certificate != null;
    if (hasTlsFiles && !isEncrypted()) {
      throw new IllegalArgumentException(
          addressKey()
              + ": TLS files need an address https://..., or nothing is encrypted: "
              + address());
    }
    if (isEncrypted()) {
      ClientTlsCheck.requireUsable("export", tls());
      require(addressKey(), () -> new TlsContext(tls()).current());
    }
    require(TOKEN_FILE, this::bearer);
    require(HEADERS, this::headers);
  }

  /** Reads a file. */
  private interface Reading {
    Object read() throws IOException;
  }

  private static void require(String setting, Reading reading) {
    try {
      reading.read();
    } catch (IOException e) {
      throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
    }
  }

  /** Whether series are pushed by remote write, and not by OTLP. */
  public boolean isRemoteWrite() {
    return remoteWriteAddress != null;
  }

  /** Where the receiver listens. */
  public URI address() {
    return Objects.requireNonNull(isRemoteWrite() ? remoteWriteAddress : otlpAddress);
  }

  private String addressKey() {
    return isRemoteWrite() ? REMOTE_WRITE_ADDRESS : OTLP_ADDRESS;
  }

  /** Whether the receiver is reached by TLS. */
  public boolean isEncrypted() {
    return address().getScheme().equalsIgnoreCase("https");
  }

  /** What is allowed and hardly meant, one line each. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!isEncrypted() && !Loopback.isAt(address().getHost())) {
      warnings.add(
          addressKey()
              + ": pushes to "
              + address()
              + " without TLS; use https://..., with export.tls-ca if its authority is not"
              + " one that Java trusts");
    }
    if (!isRemoteWrite() && address().getPort() == GRPC_PORT) {
      warnings.add(OTLP_ADDRESS + ": 4317 is the port of OTLP over gRPC, that of HTTP is 4318");
    }
    return warnings;
  }

  /** Whom to trust, and what to show. */
  public TlsFiles tls() {
    return new TlsFiles(ca, certificate, key);
  }

  /**
   * The token, read now; empty for none.
   *
   * @throws IOException when it cannot be read, or be in a header; the message does not hold it
   */
  public String bearer() throws IOException {
    Path file = tokenFile;
    if (file == null) {
      return "";
    }
    WholeFile.text(file, MOST_TOKEN_BYTES); // Its sentence tells what is there in place of a file.
    String token = TokenSource.file(file).current();
    if (!isForHeader(token)) {
      throw new IOException("token must be in ASCII: " + file);
    }
    return token;
  }

  private static boolean isForHeader(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /**
   * The further headers, read now.
   *
   * @throws IOException when they cannot be read; the message does not hold them
   */
  public Map<String, String> headers() throws IOException {
    Path file = headersFile;
    Map<String, String> headers = new TreeMap<>();
    if (file == null) {
      return headers;
    }
    for (String line : WholeFile.text(file, MOST_HEADER_BYTES).lines().toList()) {
      if (line.isBlank()) {
        continue;
      }
      var parts = HEADER.matcher(line.strip());
      if (!parts.matches() || !isForHeader(parts.group(2))) {
        throw new IOException("each line must be name: value, in ASCII: " + file);
      }
      if (OURS.contains(parts.group(1).toLowerCase(Locale.ROOT))) {
        throw new IOException("must not set the header " + parts.group(1) + ": " + file);
      }
      headers.put(parts.group(1), parts.group(2).strip());
    }
    return headers;
  }

  /** One of OTLP, or null for none. */
  static final class OtlpUrl extends HttpUrl {
    OtlpUrl() {
      super("/v1/metrics");
    }
  }

  /** One of remote write, or null for none. */
  static final class RemoteWriteUrl extends HttpUrl {
    RemoteWriteUrl() {
      super("/api/v1/write");
    }
  }

  /** A URL of HTTP, or null for none. */
  private abstract static class HttpUrl implements SettingParser {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final String path;

    HttpUrl(String path) {
      this.path = path;
    }

    @Override
    public @Nullable URI parse(String text, long heapBytes) {
      if (text.isBlank()) {
        return null;
      }
      try {
        URI url = new URI(text.strip());
        String scheme = url.getScheme();
        if (url.getRawAuthority() != null && url.getRawAuthority().contains("@")) {
          throw new IllegalArgumentException("must not have a user or password; use " + HEADERS);
        }
        if (scheme == null
            || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))
            || url.getHost() == null
            || url.getFragment() != null) {
          throw new IllegalArgumentException(
              "not a URL of HTTP with a host (a name of a host has no underscore)");
        }
        boolean hasPath = url.getPath().length() > 1 || url.getRawQuery() != null;
        return hasPath ? url : url.resolve(path);
      } catch (URISyntaxException e) {
        // Its message has the text, and that may have a password.
        throw new IllegalArgumentException(
            "not a URL: " + e.getReason() + " at index " + e.getIndex());
      }
    }
  }
}
