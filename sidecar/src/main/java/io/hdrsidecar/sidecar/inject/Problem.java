package io.hdrsidecar.sidecar.inject;

/**
 * Why a pod gets no sidecar.
 *
 * @param field where in the pod: {@code spec.hostNetwork}
 * @param message what was expected, what is there, and what to do
 */
record Problem(String field, String message) {
  @Override
  public String toString() {
    return field + ": " + message;
  }
}
