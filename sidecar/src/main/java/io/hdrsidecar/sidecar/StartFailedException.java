package io.hdrsidecar.sidecar;

import java.io.IOException;

/** The sidecar could not start; everything it had opened is closed again. */
public final class StartFailedException extends IOException {
  private static final long serialVersionUID = 1;

  StartFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
