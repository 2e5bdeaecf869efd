package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.InstanceId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one peer that are remembered without a connection, so that none takes the places
 * of all others. Merge context only.
 */
final class PeerPlaces {
  private final Map<InstanceId, Instance> away = new LinkedHashMap<>();
  private int taken;

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

  /** The instance that has been away longest without a GOODBYE, or null. */
  @Nullable Instance eldest() {
    return away.isEmpty() ? null : away.values().iterator().next();
  }
}
