package io.hdrsidecar.fleet.route;

/**
 * What another node sent is not what it should be. Unchecked, as it may be found in the midst of an
 * evaluation, which knows nothing of other nodes; {@link FleetSeriesSource} catches it.
 */
final class MalformedPeerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedPeerException(String message) {
    super(message);
  }
}
