package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where metrics come by OTLP over HTTP and gRPC; off without an address. It is here and not beside
 * what reads them, of which nothing is loaded while it is off.
 *
 * @param access what exporters must show
 */
public record OtlpConfig(
    @Setting(
            key = "otlp.max-body",
            byDefault = "4MiB",
            range = "1KiB to 256MiB",
            help =
                "Longest request by OTLP, packed and unpacked; an eighth of the share of the heap"
                    + " for OTLP at most.")
        int maxBodyBytes,
    @Setting(
            key = ADDRESS,
            form = "host:port, such as 127.0.0.1:4318; empty for none",
            help = "Where metrics are taken by OTLP: over HTTP at /v1/metrics, and over gRPC.",
            parser = StatsdConfig.Address.class)
        @Nullable InetSocketAddress address,
    @Setting(
            key = TLS,
            form = TlsMode.FORM,
            help = "TLS for exporters of OTLP.",
            parser = TlsMode.Parser.class)
        TlsMode tls,
    @Setting(
            key = "otlp.token-file",
            form = ListenerConfig.TOKENS,
            help = "Bearer tokens of which exporters must show one; read again on change.")
        @Nullable Path tokens,
    @Setting(
            key = "otlp.max-scale",
            byDefault = "5",
            range = "-10 to 8",
            help =
                "Finest scale of base-2 buckets that is kept; pairs of finer ones are joined until"
                    + " they are of this scale.")
        int finestScale,
    @Setting(
            key = "otlp.resource-labels",
            form = "attributes separated by commas, such as k8s.pod.name; empty for none",
            help = "Attributes of resources that become labels, besides the service's.",
            parser = Names.class)
        List<String> resourceLabels,
    @Setting(
            key = "otlp.tell-not-kept",
            byDefault = "true",
            help =
                "Tell exporters that sums, gauges and summaries are rejected; they are counted in"
                    + " any case.")
        boolean tellsNotKept,
    @Setting(
            key = "otlp.max-counters-and-gauges",
            byDefault = "0",
            range = "0 to 100000",
            help =
                "Most counters and gauges of OTLP that are shown on /metrics as they are; 0 keeps"
                    + " none.")
        int maxPlain,
    AccessConfig access) {
  public static final String ADDRESS = "otlp.address";

  static final String TLS = "otlp.tls";

  /** What {@code journal.flush} may be: a request waits for it twice, and its exporter for 10 s. */
  static final Duration LONGEST_FLUSH = Duration.ofSeconds(2);

  /** Takes a copy of the list. */
  public OtlpConfig {
    resourceLabels = List.copyOf(resourceLabels);
  }

  /** Whether there is an address. */
  public boolean isOn() {
    return address != null;
  }

  /** Whether counters and gauges are kept. */
  public boolean keepsPlain() {
    return isOn() && maxPlain > 0;
  }

  /** Where it listens; empty for nowhere. */
  public String host() {
    return address == null ? "" : address.getHostString();
  }

  /** At which port; 0 takes a free one. */
  public int port() {
    return address == null ? 0 : address.getPort();
  }

  /** The same with what exporters must show. */
  OtlpConfig with(AccessConfig asked) {
    return new OtlpConfig(
        maxBodyBytes,
        address,
        tls,
        tokens,
        finestScale,
        resourceLabels,
        tellsNotKept,
        maxPlain,
        asked);
  }

  /** What should not be reachable the way it is, one line each. */
  public List<String> exposures() {
    boolean isSafe = access.isEncrypted() && access.isAuthenticated();
    return address == null || isSafe || Loopback.isAt(host())
        ? List.of()
        : List.of(
            ADDRESS
                + ": listens on "
                + host()
                + " without TLS, or without token or client certificates; set tls.certificate,"
                + " tls.key and otlp.token-file, or listen on 127.0.0.1");
  }

  /** Keys of attributes. */
  static final class Names implements SettingParser {
    @Override
    public List<String> parse(String text, long heapBytes) {
      return text.isBlank()
          ? List.of()
          : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }
  }
}
