package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients that are connected, with the last HEALTH of each, and for a while those that were:
 * some minutes after a connection broke, and after GOODBYE long enough for another scrape. The
 * merge context writes, any thread reads. Bounded in clients and in bytes.
 */
public final class ClientHealthStore {
  private static final Duration AFTER_BREAK = Duration.ofMinutes(5);
  private static final Duration AFTER_GOODBYE = Duration.ofMinutes(1);

  /** An entry of a map and what it refers to, for each figure there is. */
  private static final long FIGURES_BYTES = 512 + 96L * ClientFigure.values().length;

  private final int maxClients;
  private final HeapShare share;
  private final InstantSource clock;
  private final ReceiveCounters counters;
  private final Map<InstanceId, ClientFigures> byInstance = new ConcurrentHashMap<>();

  ClientHealthStore(
      int maxClients, HeapShare share, InstantSource clock, ReceiveCounters counters) {
    this.maxClients = maxClients;
    this.share = share;
    this.clock = clock;
    this.counters = counters;
  }

  /** The figures that every client last said. Any thread; weakly consistent. */
  public Collection<ClientFigures> clients() {
    return byInstance.values();
  }

  /** The client has said HELLO. */
  void connected(InstanceId instance, Labels commonLabels) {
    ClientFigures before = byInstance.get(instance);
    keep(instance, commonLabels, before == null ? Map.of() : before.figures());
  }

  /** Whether there was room for it. */
  private boolean keep(InstanceId instance, Labels commonLabels, Map<String, Long> figures) {
    ClientFigures before = byInstance.get(instance);
    boolean hasRoom = before != null && before.commonLabels().equals(commonLabels);
    if (before == null && byInstance.size() >= maxClients) {
      return false;
    }
    if (!hasRoom && !share.tryTake(costOf(commonLabels))) {
      return false;
    }
    if (!hasRoom && before != null) {
      share.release(costOf(before.commonLabels()));
    }
    byInstance.put(
        instance, new ClientFigures(instance, commonLabels, figures, true, after(AFTER_BREAK)));
    return true;
  }

  private static long costOf(Labels commonLabels) {
    return FIGURES_BYTES + IngestShares.bytesOf(commonLabels);
  }

  /**
   * Keeps the figures that are known; counts the others, and a HEALTH for which there is no room.
   *
   * @param figures as the decoder checked them: few and well named
   */
  void put(InstanceId instance, Labels commonLabels, Map<String, Long> figures) {
    Map<String, Long> known = new HashMap<>(figures);
    known.keySet().removeIf(figure -> !ClientFigure.isKnown(figure));
    if (keep(instance, commonLabels, known)) {
      counters.figuresDropped(figures.size() - known.size());
    } else {
      counters.healthDropped();
    }
  }

  /** The client's connection has ended. One that never said anything is not remembered. */
  void disconnected(InstanceId instance, boolean saidGoodbye) {
    ClientFigures last = byInstance.get(instance);
    if (last == null) {
      return;
    }
    if (last.figures().isEmpty()) {
      forget(last);
      return;
    }
    Instant until = after(saidGoodbye ? AFTER_GOODBYE : AFTER_BREAK);
    byInstance.put(
        instance, new ClientFigures(instance, last.commonLabels(), last.figures(), false, until));
  }

  private void forget(ClientFigures client) {
    byInstance.remove(client.instance());
    share.release(costOf(client.commonLabels()));
  }

  private Instant after(Duration time) {
    return clock.instant().plus(time);
  }

  /** Drops clients that have been away for a while. */
  void forgetOld() {
    Instant now = clock.instant();
    for (ClientFigures client : byInstance.values()) {
      if (!client.connected() && client.forgottenAt().isBefore(now)) {
        forget(client);
      }
    }
  }
}
