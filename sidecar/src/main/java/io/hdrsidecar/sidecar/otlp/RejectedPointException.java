package io.hdrsidecar.sidecar.otlp;

/** A data point is not kept. Has no stack trace: bad points may flood. */
final class RejectedPointException extends Exception {
  private static final long serialVersionUID = 1;

  private final NotKeptPoint reason;

  RejectedPointException(NotKeptPoint reason, String problem) {
    super(problem, null, false, false);
    this.reason = reason;
  }

  /** How it is counted. */
  NotKeptPoint reason() {
    return reason;
  }

  /** What was expected, and what came. */
  String problem() {
    return String.valueOf(getMessage());
  }
}
