package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.wire.InstanceId;

/** The client instance that an interval came from. */
public interface Sender {
  /** Its id. */
  InstanceId id();

  /**
   * Its interval with this number is counted. Called in the step that counts it, so that neither is
   * without the other whatever fails afterwards; takes no memory and throws nothing. Merge context.
   *
   * @param sequence 1 or more
   */
  default void settle(long sequence) {}
}
