package io.hdrsidecar.sidecar.limits;

import io.hdrsidecar.internal.wire.RejectReason;

/**
 * A series cannot be registered, or an interval not be merged; nothing was changed. The message is
 * fit for the sender to read.
 */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  private final RejectReason reason;

  /** For a reason, with what was expected and what came. */
  public RefusedException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why, as it is counted. */
  public RejectReason reason() {
    return reason;
  }
}
