package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.wire.InstanceId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last HEALTH of each client, until a few minutes after it was last heard of. The merge context
 * writes, any thread reads. Bounded in clients.
 */
public final class ClientHealthStore {
  private static final Duration KEPT = Duration.ofMinutes(5);

  private final int maxClients;
  private final Clock clock;
  private final Map<InstanceId, ClientFigures> byInstance = new ConcurrentHashMap<>();

  ClientHealthStore(int maxClients, Clock clock) {
    this.maxClients = maxClients;
    this.clock = clock;
  }

  /** What every client last said. Any thread; weakly consistent. */
  public Collection<ClientFigures> clients() {
    return byInstance.values();
  }

  /**
   * Keeps the figures.
   *
   * @param figures as the decoder checked them: few and well named
   * @return false when there is no room for another client
   */
  boolean put(InstanceId instance, Labels commonLabels, Map<String, Long> figures) {
    boolean room = byInstance.size() < maxClients || byInstance.containsKey(instance);
    if (room) {
      byInstance.put(
          instance,
          new ClientFigures(instance, commonLabels, Map.copyOf(figures), clock.instant()));
    }
    return room;
  }

  /** Drops clients not heard of for a while. */
  void forgetOld() {
    Instant oldest = clock.instant().minus(KEPT);
    byInstance.values().removeIf(figures -> figures.receivedAt().isBefore(oldest));
  }
}
