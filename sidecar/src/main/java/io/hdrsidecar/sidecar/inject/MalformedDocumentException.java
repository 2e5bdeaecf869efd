package io.hdrsidecar.sidecar.inject;

/** A document is not what it has to be. The message names the field and what was expected there. */
public final class MalformedDocumentException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedDocumentException(String message) {
    super(message);
  }

  MalformedDocumentException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Fit for the sender of the document to read. */
  public String message() {
    return String.valueOf(getMessage());
  }
}
