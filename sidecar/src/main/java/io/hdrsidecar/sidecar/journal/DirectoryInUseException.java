package io.hdrsidecar.sidecar.journal;

import java.io.IOException;

/** Two sidecars must not write one journal. */
public final class DirectoryInUseException extends IOException {
  private static final long serialVersionUID = 1;

  DirectoryInUseException(String message) {
    super(message);
  }
}
