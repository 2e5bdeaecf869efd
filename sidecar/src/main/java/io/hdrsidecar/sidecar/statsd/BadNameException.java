package io.hdrsidecar.sidecar.statsd;

/**
 * There can be no series of such a name or with such tags. Has no stack trace: bad lines may flood.
 */
final class BadNameException extends Exception {
  private static final long serialVersionUID = 1;

  private final NotKept reason;

  BadNameException(NotKept reason, String problem) {
    super(problem, null, false, false);
    this.reason = reason;
  }

  /** How it is counted. */
  NotKept reason() {
    return reason;
  }
}
