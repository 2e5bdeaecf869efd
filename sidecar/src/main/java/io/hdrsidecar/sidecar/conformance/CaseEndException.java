package io.hdrsidecar.sidecar.conformance;

/** The script of a case cannot go on: what it waited for did not come. */
final class CaseEndException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CaseEndException(String message) {
    super(message);
  }
}
