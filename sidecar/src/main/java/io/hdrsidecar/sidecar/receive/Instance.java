package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.merge.Sender;
import org.jspecify.annotations.Nullable;

/** One client process as it is known: how far its intervals are settled, and its connection. */
final class Instance implements Sender {
  private final InstanceId id;
  private final String peer;
  private long lastSequence;
  private long durableSequence;
  private long queuedSequence;
  private @Nullable ClientConnection connection;
  private long awaySinceNanos;
  private long forgetAtNanos;

  /** A new one, from the {@link ConnectionPeer#name} that brought it. */
  Instance(InstanceId id, String peer) {
    this.id = id;
    this.peer = peer;
  }

  String peer() {
    return peer;
  }

  @Override
  public InstanceId id() {
    return id;
  }

  /** Every interval up to this number is merged or refused; 0 for none. */
  long lastSequence() {
    return lastSequence;
  }

  /**
   * Refuses numbers far above the last one settled: a jump settles all numbers in between, and with
   * them intervals that their client has yet to send. After 0 any number may come: of a sidecar
   * that was restarted without a journal, clients are at theirs.
   */
  void checkGap(long sequence) throws MalformedFrameException {
    if (lastSequence > 0 && sequence - lastSequence > IntervalFrame.MAX_SEQUENCE_GAP) {
      throw new MalformedFrameException(
          RejectReason.SEQUENCE_GAP,
          "sequence number must be at most "
              + IntervalFrame.MAX_SEQUENCE_GAP
              + " above the last one settled, "
              + lastSequence
              + ": "
              + sequence
              + "; say HELLO as a new instance");
    }
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

  /** Away from then on, and to be remembered for a while. */
  void disconnect(long sinceNanos, long memoryNanos) {
    connection = null;
    awaySinceNanos = sinceNanos;
    forgetAtNanos = sinceNanos + memoryNanos;
  }

  /** Whether it has been away for so long. */
  boolean isAwayFor(long nanos, long nowNanos) {
    return nowNanos - awaySinceNanos >= nanos;
  }

  boolean isForgottenAt(long nowNanos) {
    return nowNanos - forgetAtNanos >= 0;
  }
}
