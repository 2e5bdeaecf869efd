package io.hdrsidecar.sidecar;

import java.io.IOException;

/** The sidecar could not start; everything it had opened is closed again. */
public final class StartFailedException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean isConfiguration;

  /** Because of something that may be otherwise at the next start. */
  StartFailedException(String message, Throwable cause) {
    this(message, false, cause);
  }

  /**
   * Because of something in the configuration, or not.
   *
   * @param isConfiguration whether only another configuration can help
   */
  public StartFailedException(String message, boolean isConfiguration, Throwable cause) {
    super(message, cause);
    this.isConfiguration = isConfiguration;
  }

  /** Whether only another configuration can help. */
  public boolean isConfiguration() {
    return isConfiguration;
  }
}
