package io.hdrsidecar.internal.crash;

import java.io.IOException;

/** A crash file that cannot be what its process has left. */
final class DamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedException(String message) {
    super(message);
  }
}
