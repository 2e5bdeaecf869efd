package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.util.List;

/**
 * Where a sender writes down what it is about to send, so that its next start goes on as this one
 * would have: nothing is sent that does not stand here. One thread.
 */
interface UpstreamLedger {
  /** Writes nothing down: a start knows nothing of the one before. */
  UpstreamLedger NONE = new UpstreamLedger() {};

  /**
   * All that is known of what is on its way.
   *
   * @param instance under which it is sent
   * @param position how far in the journal all that was framed reaches
   * @param lastSent the highest number that may have been sent; 0 for none
   * @param intervals what is not settled, by ascending number
   */
  record State(
      InstanceId instance, long position, long lastSent, List<UpstreamInterval> intervals) {
    /** Takes a copy of the list. */
    public State {
      intervals = List.copyOf(intervals);
    }

    /** Nothing is on its way, under an id of its own. */
    public static State nothing(long position) {
      return new State(InstanceId.random(), position, 0, List.of());
    }
  }

  /**
   * Replaces everything written down by this, as a whole or not at all.
   *
   * @throws IOException when it cannot; what stood there stands
   */
  default void replace(State state) throws IOException {}

  /** Everything up to this number may be sent from now on. */
  default void sending(long sequence) throws IOException {}

  /** Everything up to this number is settled. */
  default void settled(long sequence) throws IOException {}
}
