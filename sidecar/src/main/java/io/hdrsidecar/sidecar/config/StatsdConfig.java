package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig.SocketPath;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where values come by StatsD; off without any socket. It is here and not beside what reads them,
 * of which nothing is loaded while it is off.
 */
public record StatsdConfig(
    @Setting(
            key = RECEIVE_BUFFER,
            byDefault = "4MiB",
            range = "4KiB to 1GiB",
            help =
                "Receive buffer of the UDP socket to ask the kernel for; it gives net.core.rmem_max"
                    + " at most, and drops datagrams for which there is no room.")
        int receiveBuffer,
    @Setting(
            key = UDP_ADDRESS,
            form = "host:port, such as 127.0.0.1:8125; empty for none",
            help = "Where StatsD and DogStatsD are taken over UDP.",
            parser = Address.class)
        @Nullable InetSocketAddress udpAddress,
    @Setting(
            key = UNIX_DATAGRAM,
            form = SocketPath.FORM,
            help = "Unix datagram socket for DogStatsD.",
            parser = SocketPath.class)
        @Nullable Path unixDatagram,
    @Setting(
            key = UNIX_STREAM,
            form = SocketPath.FORM,
            help = "Unix stream socket for DogStatsD.",
            parser = SocketPath.class)
        @Nullable Path unixStream,
    @Setting(
            key = UNIX_MODE,
            form = "octal, such as 0660; empty for what the umask gives",
            help =
                "Permissions of StatsD's Unix sockets; processes that may write to them may send.",
            parser = UnixSocketConfig.Mode.class)
        @Nullable Set<PosixFilePermission> unixMode,
    @Setting(
            key = UNIX_GROUP,
            form = "name or number; empty for that of the process",
            help = "Group of StatsD's Unix sockets.")
        @Nullable String unixGroup,
    @Setting(
            key = MAPPING_FILE,
            form = "YAML file as statsd_exporter has it; empty for none",
            help =
                "YAML file that maps StatsD's names to series, labels and units; read again on"
                    + " reload.",
            reloadable = true)
        @Nullable Path mappingFile,
    @Setting(
            key = "statsd.max-counters-and-gauges",
            byDefault = "0",
            range = "0 to 100000",
            help =
                "Most counters and gauges of StatsD that are shown on /metrics as they are; 0 keeps"
                    + " none.")
        int maxPlain) {
  public static final String UDP_ADDRESS = "statsd.udp-address";
  public static final String UNIX_DATAGRAM = "statsd.unix-datagram";
  public static final String UNIX_STREAM = "statsd.unix-stream";
  public static final String UNIX_GROUP = "statsd.unix-group";
  public static final String MAPPING_FILE = "statsd.mapping-file";

  static final String UNIX_MODE = "statsd.unix-mode";
  static final String RECEIVE_BUFFER = "statsd.receive-buffer";

  /** Takes a copy of the mode. */
  public StatsdConfig {
    unixMode = unixMode == null ? null : Set.copyOf(unixMode);
  }

  /** Whether there is any socket. */
  public boolean isOn() {
    return udpAddress != null || unixDatagram != null || unixStream != null;
  }

  /** Whether counters and gauges are kept. */
  public boolean keepsPlain() {
    return isOn() && maxPlain > 0;
  }

  /** What should not be reachable the way it is, one line each. */
  public List<String> exposures() {
    return udpAddress == null || Loopback.isAt(udpAddress.getHostString())
        ? List.of()
        : List.of(
            UDP_ADDRESS
                + ": listens on "
                + udpAddress.getHostString()
                + ", and any process that reaches it can send values: UDP has no TLS or tokens;"
                + " listen on 127.0.0.1, or use statsd.unix-datagram");
  }

  /** Host and port, not looked up; null for none. */
  static final class Address implements SettingParser {
    private static final int HIGHEST_PORT = 65_535;
    private static final String SCHEME_END = "://";

    @Override
    public @Nullable InetSocketAddress parse(String text, long heapBytes) {
      String address = text.strip();
      if (address.isEmpty()) {
        return null;
      }
      int scheme = address.indexOf(SCHEME_END);
      if (scheme >= 0) {
        throw new IllegalArgumentException(
            "must be a host and a port, without "
                + address.substring(0, scheme + SCHEME_END.length())
                + ": "
                + text);
      }
      int colon = address.lastIndexOf(':');
      String host = address.substring(0, Math.max(0, colon)).replaceFirst("^\\[(.*)]$", "$1");
      String port = address.substring(colon + 1);
      if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > HIGHEST_PORT) {
        throw new IllegalArgumentException("not a host and a port: " + text);
      }
      return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
    }
  }
}
