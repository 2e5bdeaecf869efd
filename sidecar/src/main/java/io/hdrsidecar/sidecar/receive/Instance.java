package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.wire.InstanceId;
import org.jspecify.annotations.Nullable;

/** What is known of one client process: how far its intervals are settled, and its connection. */
final class Instance implements Sender {
  private final InstanceId id;
  private long lastSequence;
  private long durableSequence;
  private long queuedSequence;
  private @Nullable ClientConnection connection;
  private long forgetAtNanos;

  Instance(InstanceId id) {
    this.id = id;
  }

  @Override
  public InstanceId id() {
    return id;
  }

  /** Every interval up to this number is merged or refused; 0 for none. */
  long lastSequence() {
    return lastSequence;
  }

  @Override
  public void settle(long sequence) {
    lastSequence = Math.max(lastSequence, sequence);
  }

  /**
   * Every interval up to this number is settled and in the journal; what the client is told. It may
   * forget those, while the ones between this number and {@link #lastSequence} it has to keep.
   */
  long durableSequence() {
    return durableSequence;
  }

  void becameDurable(long sequence) {
    durableSequence = Math.max(durableSequence, sequence);
  }

  /** Known from the journal, at start. */
  void restore(long sequence) {
    settle(sequence);
    becameDurable(sequence);
  }

  /** Whether the news that a number is durable has still to be ordered; then it is. */
  boolean orderDurable(long sequence) {
    boolean isNew = sequence > queuedSequence;
    queuedSequence = Math.max(queuedSequence, sequence);
    return isNew;
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
