package io.hdrsidecar.fleet.kafka;

/** The brokers cannot be asked, or their topics are not those of the fleet. */
public final class TopicsException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean isConfiguration;

  TopicsException(String message, boolean isConfiguration, Throwable cause) {
    super(message, cause);
    this.isConfiguration = isConfiguration;
  }

  /** Something is to be configured otherwise. */
  public TopicsException(String message) {
    super(message);
    this.isConfiguration = true;
  }

  /** Whether waiting does not help. */
  public boolean isConfiguration() {
    return isConfiguration;
  }
}
