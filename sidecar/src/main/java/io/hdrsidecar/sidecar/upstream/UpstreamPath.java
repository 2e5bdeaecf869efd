package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.ConnectionRefusedException;
import io.hdrsidecar.internal.send.Session;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import java.util.List;

/** Looks for this sidecar among those that its values would pass. One thread. */
final class UpstreamPath implements Session.PathCheck {
  private final UpstreamSenderConfig config;
  private String loop = "";

  UpstreamPath(UpstreamSenderConfig config) {
    this.config = config;
  }

  /** Why nothing may be sent; empty while it may. */
  String loop() {
    return loop;
  }

  @Override
  public void check(List<InstanceId> path) throws ConnectionRefusedException {
    if (path.contains(config.sidecar())) {
      loop = "its values come back to this sidecar, which is above it: set another upstream";
    } else if (path.size() >= Frame.Welcome.MAX_PATH) {
      loop = "values would pass more than " + Frame.Welcome.MAX_PATH + " sidecars";
    } else {
      loop = "";
      config.onPath().accept(path);
      return;
    }
    throw new ConnectionRefusedException("loop: " + loop);
  }
}
