package io.hdrsidecar.sidecar.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whom connections are from, so that no peer takes the places of all others. */
public final class RemotePeers {
  private static final int NETWORK_PARTS = 4;

  private RemotePeers() {}

  /**
   * What a peer is known by: its IPv4 address, or the network of its IPv6 address, of which a host
   * has 2^64; all on a Unix socket are one.
   *
   * @param host as text without abbreviations; null for a Unix socket
   */
  public static String nameOf(@Nullable String host) {
    if (host == null) {
      return "unix";
    }
    String[] parts = host.split(":", -1);
    return parts.length <= NETWORK_PARTS
        ? host
        : String.join(":", Arrays.copyOf(parts, NETWORK_PARTS));
  }

  /**
   * The oldest of the peer that has most; empty if there are none.
   *
   * @param peers the peer of each, in order of age
   */
  public static <T> Optional<T> oldestOfMost(Map<T, String> peers) {
    Map<String, List<T>> byPeer = new LinkedHashMap<>();
    peers.forEach((each, peer) -> byPeer.computeIfAbsent(peer, p -> new ArrayList<>()).add(each));
    return byPeer.values().stream()
        .max(Comparator.comparingInt(List::size))
        .map(most -> most.get(0));
  }
}
