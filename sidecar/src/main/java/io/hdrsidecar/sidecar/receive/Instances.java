package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.text.UserText;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client instances and their last sequence numbers: what makes a resent interval known.
 *
 * <p>A number is kept while its instance is connected, and long after, since the client may come
 * back with intervals whose answer it never saw. Only GOODBYE says that it will not; even then it
 * is kept a little, in case GOODBYE's own answer was lost.
 *
 * <p>Disconnected instances are bounded in number, all together and of each peer. At the bound
 * those away longest make room, but none that was there within the last hour: to forget one that
 * comes back would count its intervals twice, while a new one that is refused only waits. Merge
 * context only.
 */
final class Instances {
  private static final Duration AFTER_GOODBYE = Duration.ofMinutes(1);
  private static final Duration YOUNG = Duration.ofHours(1);

  /** A peer may take this part of all places. */
  private static final int PART_OF_PEER = 4;

  /** Instances from before this start, and those in spill files: nobody knows their peers. */
  private static final String NOBODY = "";

  private final int maxAway;
  private final int maxAwayOfPeer;
  private final long memoryNanos;
  private final long youngNanos;
  private final Map<InstanceId, Instance> connected = new HashMap<>();
  private final Map<InstanceId, Instance> away = new LinkedHashMap<>();
  private final Map<InstanceId, Instance> leaving = new LinkedHashMap<>();
  private final Map<String, PeerPlaces> peers = new HashMap<>();
  private final boolean remembers;

  Instances(int maxAway, Duration memory) {
    this(maxAway, memory, /* remembers= */ true);
  }

  /**
   * No instances yet.
   *
   * @param remembers whether numbers hold for longer than a connection
   */
  Instances(int maxAway, Duration memory, boolean remembers) {
    this.remembers = remembers;
    this.maxAway = maxAway;
    this.maxAwayOfPeer = Math.max(1, maxAway / PART_OF_PEER);
    this.memoryNanos = memory.toNanos();
    this.youngNanos = Math.min(memoryNanos, YOUNG.toNanos());
  }

  /**
   * The instance with this id, new or known, now spoken for by this connection. A connection it had
   * before is replaced at once, so that nothing more can be merged through it.
   *
   * @param peer {@link ConnectionPeer#name} of the client that connects
   * @throws MalformedFrameException when it is new and there is no room for it
   */
  Instance connect(InstanceId id, ClientConnection connection, String peer, long nowNanos)
      throws MalformedFrameException {
    if (!remembers) {
      return connectAnew(id, connection, peer);
    }
    Instance instance = find(id);
    if (instance == null) {
      instance = newInstance(id, peer, nowNanos);
    } else if (instance.connection() == null) {
      forget(instance);
    }
    ClientConnection before = instance.connection();
    instance.connect(connection);
    connected.put(id, instance);
    if (before != null) {
      before.replaced(); // Its end is not the end of the instance's connection any more.
    }
    return instance;
  }

  /** Numbers that were settled through another connection are not known here. */
  private Instance connectAnew(InstanceId id, ClientConnection connection, String peer) {
    Instance before = connected.get(id);
    Instance instance = new Instance(id, peer);
    instance.connect(connection);
    connected.put(id, instance);
    ClientConnection connectionBefore = before == null ? null : before.connection();
    if (connectionBefore != null) {
      connectionBefore.replaced();
    }
    return instance;
  }

  private Instance newInstance(InstanceId id, String peer, long nowNanos)
      throws MalformedFrameException {
    forgetOld(nowNanos);
    boolean hasRoom = makeRoomOf(peer, nowNanos);
    if (!hasRoom || !makeRoom(nowNanos)) {
      throw new MalformedFrameException(
          RejectReason.INSTANCE_LIMIT,
          "no room for a new instance: at most "
              + (hasRoom ? maxAway : maxAwayOfPeer + " of a peer")
              + " that have gone are remembered (ingest.max-instances), none of them for less than "
              + UserText.shown(Duration.ofNanos(youngNanos)));
    }
    return new Instance(id, peer);
  }

  private boolean makeRoomOf(String peer, long nowNanos) {
    PeerPlaces places = peers.get(peer);
    return places == null
        || peer.equals(NOBODY)
        || places.taken() < maxAwayOfPeer
        || forgetIfNotYoung(places.eldest(), nowNanos);
  }

  private boolean makeRoom(long nowNanos) {
    return away.size() + leaving.size() < maxAway || forgetIfNotYoung(eldest(away), nowNanos);
  }

  private static @Nullable Instance eldest(Map<InstanceId, Instance> kept) {
    return kept.isEmpty() ? null : kept.values().iterator().next();
  }

  private boolean forgetIfNotYoung(@Nullable Instance eldest, long nowNanos) {
    if (eldest == null || !eldest.isAwayFor(youngNanos, nowNanos)) {
      return false;
    }
    forget(eldest);
    return true;
  }

  /** Instances known from before this start, which may come back with intervals. */
  void restore(Map<InstanceId, RememberedInstance> remembered, long nowNanos) {
    remembered.entrySet().stream()
        .sorted((a, b) -> b.getValue().away().compareTo(a.getValue().away()))
        .forEach(each -> restore(each.getKey(), each.getValue(), nowNanos));
  }

  private void restore(InstanceId id, RememberedInstance remembered, long nowNanos) {
    Instance instance = new Instance(id, NOBODY);
    instance.restore(remembered.lastSequence());
    remember(instance, nowNanos - remembered.away().toNanos(), remembered.saidGoodbye());
  }

  private void remember(Instance instance, long sinceNanos, boolean saidGoodbye) {
    instance.disconnect(sinceNanos, saidGoodbye ? AFTER_GOODBYE.toNanos() : memoryNanos);
    (saidGoodbye ? leaving : away).put(instance.id(), instance);
    peers.computeIfAbsent(instance.peer(), none -> new PeerPlaces()).take(instance, saidGoodbye);
  }

  /** Of one that is away. */
  private void forget(Instance instance) {
    away.remove(instance.id());
    leaving.remove(instance.id());
    peers.computeIfPresent(instance.peer(), (name, places) -> places.give(instance));
  }

  /** The connection has ended; nothing happens if another has taken over. */
  void disconnect(
      Instance instance, ClientConnection connection, boolean saidGoodbye, long nowNanos) {
    if (instance.connection() == connection) {
      connected.remove(instance.id(), instance);
      instance.disconnect(nowNanos, 0);
      if (remembers && instance.lastSequence() > 0) {
        remember(instance, nowNanos, saidGoodbye);
      }
    }
  }

  /** Forgets instances whose time is over. Both maps are in the order of that time. */
  void forgetOld(long nowNanos) {
    forgetOld(away, nowNanos);
    forgetOld(leaving, nowNanos);
  }

  private void forgetOld(Map<InstanceId, Instance> kept, long nowNanos) {
    Instance eldest = eldest(kept);
    while (eldest != null && eldest.isForgottenAt(nowNanos)) {
      forget(eldest);
      eldest = eldest(kept);
    }
  }

  /**
   * The instance with this id, new or known, for what it has left in a spill file.
   *
   * @throws MalformedFrameException when it is new and there is no room for it
   */
  Instance known(InstanceId id, long nowNanos) throws MalformedFrameException {
    Instance found = find(id);
    if (found != null) {
      return found;
    }
    Instance instance = newInstance(id, NOBODY, nowNanos);
    remember(instance, nowNanos, /* saidGoodbye= */ false);
    return instance;
  }

  /** The instance if it is known, connected or not. */
  @Nullable Instance find(InstanceId id) {
    Instance instance = connected.get(id);
    instance = instance == null ? away.get(id) : instance;
    return instance == null ? leaving.get(id) : instance;
  }

  /** Number of instances known. */
  int size() {
    return connected.size() + away.size() + leaving.size();
  }
}
