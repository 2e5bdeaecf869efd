package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.InstanceId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one peer that are remembered without a connection, so that none takes the places
 * of all others. Merge context only.
 */
final class PeerPlaces {
  private static final int NETWORK_PARTS = 4;

  private final Map<InstanceId, Instance> away = new LinkedHashMap<>();
  private int taken;

  /**
   * What a peer is known by: its IPv4 address, or the network of its IPv6 address, of which a host
   * has 2^64; all on a Unix socket are one.
   *
   * @param host as text without abbreviations; null for a Unix socket
   */
  static String nameOf(@Nullable String host) {
    if (host == null) {
      return "unix";
    }
    String[] parts = host.split(":", -1);
    return parts.length <= NETWORK_PARTS
        ? host
        : String.join(":", Arrays.copyOf(parts, NETWORK_PARTS));
  }

  /** Number of instances remembered. */
  int taken() {
    return taken;
  }

  /** One more is remembered. */
  void take(Instance instance, boolean saidGoodbye) {
    taken++;
    if (!saidGoodbye) {
      away.put(instance.id(), instance);
    }
  }

  /** One is not remembered any more, or has come back; gives null once there are none. */
  @Nullable PeerPlaces give(Instance instance) {
    taken--;
    away.remove(instance.id());
    return taken == 0 ? null : this;
  }

  /** Who has been away longest without a GOODBYE, or null. */
  @Nullable Instance eldest() {
    return away.isEmpty() ? null : away.values().iterator().next();
  }
}
