package io.hdrsidecar.internal.wire;

/** Bytes that are not what PROTOCOL.md draws. The message is fit for the sender to read. */
public final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1;

  private final RejectReason reason;

  /** For a reason, with what was expected and what came. */
  public MalformedFrameException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why, as it is counted. */
  public RejectReason reason() {
    return reason;
  }
}
