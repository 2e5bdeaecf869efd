package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import java.util.ArrayList;
import java.util.List;

/**
 * The sidecars that values pass from here on: this one, its upstream, and so on. Those below are
 * told it in WELCOME, and so see when values would come back to them. Any thread.
 */
final class SidecarPath {
  private final InstanceId own = InstanceId.random();
  private volatile List<InstanceId> path = List.of(own);

  /** The name of this sidecar there; nobody's secret, and another one at each start. */
  InstanceId own() {
    return own;
  }

  /** From this one up. */
  List<InstanceId> path() {
    return path;
  }

  /** The upstream has said which sidecars are above; whether those below have to be told. */
  boolean isChangedBy(List<InstanceId> above) {
    List<InstanceId> changed = new ArrayList<>();
    changed.add(own);
    changed.addAll(above.subList(0, Math.min(above.size(), Frame.Welcome.MAX_PATH - 1)));
    boolean isChanged = !changed.equals(path);
    path = List.copyOf(changed);
    return isChanged;
  }
}
