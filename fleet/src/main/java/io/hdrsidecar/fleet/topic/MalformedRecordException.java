package io.hdrsidecar.fleet.topic;

/** A record on a topic that no gateway of a version known here has written. */
public final class MalformedRecordException extends Exception {
  private static final long serialVersionUID = 1;

  /** What was expected, and what came. */
  public MalformedRecordException(String message) {
    super(message);
  }
}
