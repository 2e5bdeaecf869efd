package io.hdrsidecar.sidecar.otlp;

/** A body is not what it says it is. Has no stack trace: bad bodies may flood. */
public final class MalformedOtlpException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedOtlpException(String problem) {
    super(problem, null, false, false);
  }

  /** What was expected, and what came. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}
