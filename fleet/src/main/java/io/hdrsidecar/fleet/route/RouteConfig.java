package io.hdrsidecar.fleet.route;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is configured of nodes that ask each other. */
public record RouteConfig(
    @Setting(
            key = "node.peer-timeout",
            byDefault = "10s",
            range = "100ms to 10m",
            help = "How long another node may take to answer; then the question is refused.")
        Duration peerTimeout,
    @Setting(
            key = "node.address",
            form = "host:port; empty for http.host, or the name of this machine, and http.port",
            help = "Where other nodes ask this one, over HTTP.",
            parser = Address.class)
        @Nullable PeerAddress address,
    @Setting(
            key = "node.peer-ca",
            form = "PEM file; empty for the node's own certificate",
            help = "Authorities that vouch for other nodes, where HTTP is encrypted.")
        @Nullable Path peerCa) {
  /** Host and port. */
  static final class Address implements SettingParser {
    @Override
    public @Nullable PeerAddress parse(String text, long heapBytes) {
      return text.isBlank() ? null : PeerAddress.parse(text.strip());
    }
  }
}
