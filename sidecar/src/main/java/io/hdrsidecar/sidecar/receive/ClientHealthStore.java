package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.interval.Labels;
import io.hdrsidecar.wire.InstanceId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The clients that are connected, with the last HEALTH of each, and for a while those that were:
 * some minutes after a connection broke, and after GOODBYE long enough for another scrape. The
 * merge context writes, any thread reads. Bounded in clients.
 */
public final class ClientHealthStore {
  private static final Duration AFTER_BREAK = Duration.ofMinutes(5);
  private static final Duration AFTER_GOODBYE = Duration.ofMinutes(1);

  private final int maxClients;
  private final Clock clock;
  private final ReceiveCounters counters;
  private final Map<InstanceId, ClientFigures> byInstance = new ConcurrentHashMap<>();

  ClientHealthStore(int maxClients, Clock clock, ReceiveCounters counters) {
    this.maxClients = maxClients;
    this.clock = clock;
    this.counters = counters;
  }

  /** What every client last said. Any thread; weakly consistent. */
  public Collection<ClientFigures> clients() {
    return byInstance.values();
  }

  /** The client has said HELLO. */
  void connected(InstanceId instance, Labels commonLabels) {
    if (hasRoomFor(instance)) {
      ClientFigures before = byInstance.get(instance);
      keep(instance, commonLabels, before == null ? Map.of() : before.figures());
    }
  }

  private boolean hasRoomFor(InstanceId instance) {
    return byInstance.size() < maxClients || byInstance.containsKey(instance);
  }

  private void keep(InstanceId instance, Labels commonLabels, Map<String, Long> figures) {
    byInstance.put(
        instance, new ClientFigures(instance, commonLabels, figures, true, after(AFTER_BREAK)));
  }

  /**
   * Keeps the figures that are known; counts the others, and a HEALTH for which there is no room.
   *
   * @param figures as the decoder checked them: few and well named
   */
  void put(InstanceId instance, Labels commonLabels, Map<String, Long> figures) {
    if (!hasRoomFor(instance)) {
      counters.healthDropped();
      return;
    }
    Map<String, Long> known = new HashMap<>(figures);
    known.keySet().removeIf(figure -> !HealthFigure.isKnown(figure));
    counters.figuresDropped(figures.size() - known.size());
    keep(instance, commonLabels, known);
  }

  /** The client's connection has ended. One that never said anything is not remembered. */
  void disconnected(InstanceId instance, boolean saidGoodbye) {
    byInstance.computeIfPresent(instance, (id, last) -> left(last, saidGoodbye));
  }

  private @Nullable ClientFigures left(ClientFigures last, boolean saidGoodbye) {
    return last.figures().isEmpty()
        ? null
        : new ClientFigures(
            last.instance(),
            last.commonLabels(),
            last.figures(),
            false,
            after(saidGoodbye ? AFTER_GOODBYE : AFTER_BREAK));
  }

  private Instant after(Duration time) {
    return clock.instant().plus(time);
  }

  /** Drops clients that have been away for a while. */
  void forgetOld() {
    Instant now = clock.instant();
    byInstance
        .values()
        .removeIf(client -> !client.connected() && client.forgottenAt().isBefore(now));
  }
}
