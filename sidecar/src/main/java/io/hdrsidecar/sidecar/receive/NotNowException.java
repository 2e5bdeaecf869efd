package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.RejectReason;

/**
 * Something cannot be taken now, and should be sent again: it is not settled, and the connection
 * ends. The message is fit for the sender to read.
 */
public final class NotNowException extends Exception {
  private static final long serialVersionUID = 1;

  private final RejectReason reason;

  /** For a reason, with what to do. */
  public NotNowException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why, as it is counted. */
  public RejectReason reason() {
    return reason;
  }
}
