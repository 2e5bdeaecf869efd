package io.hdrsidecar.sidecar.query;

/** Text that is no selector; the message says where and what was expected. */
public final class MalformedSelectorException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedSelectorException(String message) {
    super(message);
  }
}
