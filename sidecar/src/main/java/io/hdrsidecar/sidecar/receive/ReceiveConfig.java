package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where clients connect, what is asked of them, and what they may cost.
 *
 * @param unix a Unix socket to listen on as well, or null for none
 * @param access what clients must show; the token on both ways, TLS over TCP alone
 */
public record ReceiveConfig(
    @Setting(
            key = "ingest.host",
            byDefault = "127.0.0.1",
            form = "address",
            help = "Where clients connect; loopback by default.")
        String host,
    @Setting(
            key = "ingest.port",
            byDefault = "9924",
            range = "0 to 65535",
            help = "TCP port for clients; 0 picks a free one.")
        int port,
    @Nullable UnixSocketConfig unix,
    AccessConfig access,
    ReceiveLimits limits,
    ResourceConfig resources) {
  /** Open to all who can connect. */
  public ReceiveConfig(String host, int port, @Nullable Path unixSocket, ReceiveLimits limits) {
    this(
        host,
        port,
        unixSocket == null ? null : new UnixSocketConfig(unixSocket, null, null),
        AccessConfig.OPEN,
        limits,
        SettingRecords.of(ResourceConfig.class, Map.of()));
  }

  /** Path of the Unix socket, or null for none. */
  public @Nullable Path unixSocket() {
    return unix == null ? null : unix.path();
  }
}
