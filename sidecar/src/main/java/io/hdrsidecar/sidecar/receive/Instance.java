package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.wire.InstanceId;
import org.jspecify.annotations.Nullable;

/** What is known of one client process: how far its intervals are settled, and its connection. */
final class Instance {
  private final InstanceId id;
  private long lastSequence;
  private @Nullable ClientConnection connection;
  private long forgetAtNanos;

  Instance(InstanceId id) {
    this.id = id;
  }

  InstanceId id() {
    return id;
  }

  /** Every interval up to this number is merged or refused; 0 for none. */
  long lastSequence() {
    return lastSequence;
  }

  void settle(long sequence) {
    lastSequence = Math.max(lastSequence, sequence);
  }

  @Nullable ClientConnection connection() {
    return connection;
  }

  void connect(ClientConnection newConnection) {
    connection = newConnection;
  }

  void disconnect(long forgetAt) {
    connection = null;
    forgetAtNanos = forgetAt;
  }

  boolean isForgottenAt(long nowNanos) {
    return nowNanos - forgetAtNanos >= 0;
  }
}
