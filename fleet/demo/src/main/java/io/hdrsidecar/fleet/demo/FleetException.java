package io.hdrsidecar.fleet.demo;

/**
 * Something of the fleet could not be started, or is not what it should be; the message says it.
 */
final class FleetException extends Exception {
  private static final long serialVersionUID = 1L;

  FleetException(String message) {
    super(message);
  }
}
