package io.hdrsidecar.sidecar.plain;

/** There can be no counter or gauge of such a name. Has no stack trace: such names may flood. */
public final class RefusedPlainException extends Exception {
  /** Why there can be none. */
  public enum Reason {
    /** There are as many as may be. */
    LIMIT,
    /** A series, a metric of another type, or one of ours has the name. */
    CONFLICT,
    /** The share of the heap is full. */
    NO_MEMORY
  }

  private static final long serialVersionUID = 1;

  private final Reason reason;

  RefusedPlainException(Reason reason, String problem) {
    super(problem, null, false, false);
    this.reason = reason;
  }

  /** How it is counted. */
  public Reason reason() {
    return reason;
  }
}
