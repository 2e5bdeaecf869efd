package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.wire.InstanceId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client instances and their last sequence numbers: what makes a resent interval known.
 *
 * <p>A number is kept while its instance is connected, and long after, since the client may come
 * back with intervals whose answer it never saw. Only GOODBYE says that it will not; even then it
 * is kept a little, in case GOODBYE's own answer was lost. Disconnected instances are bounded in
 * number; those away longest are forgotten first. Merge context only.
 */
final class Instances {
  private static final Duration AFTER_GOODBYE = Duration.ofMinutes(1);

  private final int maxAway;
  private final long memoryNanos;
  private final Map<InstanceId, Instance> connected = new HashMap<>();
  private final Map<InstanceId, Instance> away = new LinkedHashMap<>();
  private final Map<InstanceId, Instance> leaving = new LinkedHashMap<>();

  Instances(int maxAway, Duration memory) {
    this.maxAway = maxAway;
    this.memoryNanos = memory.toNanos();
  }

  /**
   * The instance with this id, new or known, now spoken for by this connection. A connection it had
   * before is replaced at once, so that nothing more can be merged through it.
   */
  Instance connect(InstanceId id, ClientConnection connection) {
    Instance instance = takeKnown(id);
    ClientConnection before = instance.connection();
    instance.connect(connection);
    connected.put(id, instance);
    if (before != null) {
      before.replaced(); // Its end is not the end of the instance's connection any more.
    }
    return instance;
  }

  private Instance takeKnown(InstanceId id) {
    for (Map<InstanceId, Instance> known : List.of(connected, away, leaving)) {
      Instance instance = known.remove(id);
      if (instance != null) {
        return instance;
      }
    }
    return new Instance(id);
  }

  /** An instance known from before this start, which may come back with intervals. */
  void restore(InstanceId id, long lastSequence, long nowNanos) {
    Instance instance = new Instance(id);
    instance.restore(lastSequence);
    instance.disconnect(nowNanos + memoryNanos);
    away.put(id, instance);
    dropEldestAbove(away);
  }

  /** The connection has ended; nothing happens if another has taken over. */
  void disconnect(
      Instance instance, ClientConnection connection, boolean saidGoodbye, long nowNanos) {
    if (instance.connection() != connection) {
      return;
    }
    connected.remove(instance.id());
    Map<InstanceId, Instance> kept = saidGoodbye ? leaving : away;
    instance.disconnect(nowNanos + (saidGoodbye ? AFTER_GOODBYE.toNanos() : memoryNanos));
    if (instance.lastSequence() > 0) {
      kept.remove(instance.id()); // A place in the order of time must not be an old one.
      kept.put(instance.id(), instance);
      dropEldestAbove(kept);
    }
  }

  private void dropEldestAbove(Map<InstanceId, Instance> kept) {
    if (kept.size() > maxAway) {
      Iterator<Instance> eldest = kept.values().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /** Forgets instances whose time is over. Both maps are in the order of that time. */
  void forgetOld(long nowNanos) {
    forgetOld(away, nowNanos);
    forgetOld(leaving, nowNanos);
  }

  private static void forgetOld(Map<InstanceId, Instance> kept, long nowNanos) {
    Iterator<Instance> eldest = kept.values().iterator();
    while (eldest.hasNext() && eldest.next().isForgottenAt(nowNanos)) {
      eldest.remove();
    }
  }

  /** The instance with this id, new or known, for what it has left in a spill file. */
  Instance known(InstanceId id, long nowNanos) {
    Instance found = find(id);
    if (found != null) {
      return found;
    }
    Instance instance = new Instance(id);
    instance.disconnect(nowNanos + memoryNanos);
    away.put(id, instance);
    dropEldestAbove(away);
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
