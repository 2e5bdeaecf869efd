package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.SidecarAddress;
import io.hdrsidecar.internal.send.TlsFiles;
import io.hdrsidecar.internal.send.TokenSource;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.access.ClientTlsCheck;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** To which sidecar what was merged is handed on, and how. */
public record UpstreamConfig(
    @Setting(
            key = ADDRESS,
            form = "tls://host:port, tcp://host:port or unix:///path; empty for none",
            help = "Sidecar to which this one hands on what it merged.",
            parser = Address.class)
        SidecarAddress address,
    @Setting(
            key = "upstream.interval",
            byDefault = "10s",
            range = "100ms to 10m",
            help = "How often values are handed on; a series adds up its counts in between.")
        Duration interval,
    @Setting(
            key = "upstream.drain",
            byDefault = "5s",
            range = "0s to 10m",
            help = "How long the end waits until everything is handed on.")
        Duration drain,
    @Setting(
            key = TOKEN_FILE,
            form = "file of one line; empty for none",
            help = "Token that the upstream asks for; read again for each connection.")
        @Nullable Path tokenFile,
    @Setting(
            key = "upstream.tls-ca",
            form = PEM,
            help =
                "Authorities that vouch for the upstream, in place of those that Java trusts; read"
                    + " again for each connection.")
        @Nullable Path ca,
    @Setting(
            key = "upstream.tls-certificate",
            form = PEM,
            help = "Certificate that this sidecar shows to the upstream, with its chain.")
        @Nullable Path certificate,
    @Setting(
            key = "upstream.tls-key",
            form = PEM,
            help = "Private key of upstream.tls-certificate, not encrypted.")
        @Nullable Path key,
    @Setting(
            key = "upstream.resource.namespace",
            form = TEXT,
            help = "Namespace of this pod, told to the upstream.")
        @Nullable String namespace,
    @Setting(
            key = "upstream.resource.deployment",
            form = TEXT,
            help = "Deployment of this pod, told to the upstream.")
        @Nullable String deployment,
    @Setting(
            key = "upstream.resource.pod",
            form = TEXT,
            help = "Name of this pod, told to the upstream.")
        @Nullable String pod,
    @Setting(
            key = "upstream.resource.node",
            form = TEXT,
            help = "Node of this pod, told to the upstream.")
        @Nullable String node,
    @Setting(
            key = "upstream.resource.zone",
            form = TEXT,
            help = "Zone of the node of this pod, told to the upstream.")
        @Nullable String zone) {
  /** Where the upstream listens. */
  public static final String ADDRESS = "upstream.address";

  static final String TOKEN_FILE = "upstream.token-file";
  static final String TEXT = "text; empty for none";
  static final String PEM = "PEM file; empty for none";

  private static final int MOST_TOKEN_BYTES = 4 * TokenSource.MAX_LENGTH;

  /** Throws IllegalArgumentException for one of certificate and key without the other. */
  public UpstreamConfig {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "upstream.tls-certificate and upstream.tls-key must be set together");
    }
  }

  /**
   * Throws IllegalArgumentException, naming the setting, when the files of TLS or that of the token
   * cannot be used, or there is no TLS for them, or a text says where this runs that no label can
   * have. Blocks: reads the files.
   */
  public void requireUsable() {
    if (address.isTls()) {
      ClientTlsCheck.requireUsable("upstream", tls());
    }
    try {
      tls().requireUsable(address);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(ADDRESS + ": " + e.getMessage(), e);
    }
    requireToken();
    try {
      resource();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("upstream.resource: " + e.getMessage(), e);
    }
  }

  private void requireToken() {
    Path file = tokenFile;
    if (file == null) {
      return;
    }
    try {
      WholeFile.text(
          file, MOST_TOKEN_BYTES); // Its sentence tells what is there in place of a file.
      token().current();
    } catch (IOException e) {
      throw new IllegalArgumentException(TOKEN_FILE + ": " + e.getMessage(), e);
    }
  }

  /** What should not be reachable the way it is, one line each. */
  public List<String> exposures() {
    boolean isNear = !address.toString().startsWith("tcp:") || Loopback.isAt(address.host());
    return isNear
        ? List.of()
        : List.of(
            ADDRESS
                + ": hands on to "
                + address
                + " without TLS; use tls://host:port, with upstream.tls-ca if its authority is not"
                + " one that Java trusts");
  }

  /** Where this sidecar runs: travels beside the series, and the next sidecar chooses from it. */
  Labels resource() {
    return Labels.of(
        "namespace", text(namespace),
        "deployment", text(deployment),
        "pod", text(pod),
        "node", text(node),
        "zone", text(zone));
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  TlsFiles tls() {
    return new TlsFiles(ca, certificate, key);
  }

  TokenSource token() {
    Path file = tokenFile;
    return file == null ? TokenSource.NONE : TokenSource.file(file);
  }

  /** An address, or null for none. */
  static final class Address implements SettingParser {
    @Override
    public @Nullable SidecarAddress parse(String text, long heapBytes) {
      return text.isBlank() ? null : SidecarAddress.parse(text.strip());
    }
  }
}
