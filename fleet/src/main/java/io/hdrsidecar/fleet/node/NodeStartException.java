package io.hdrsidecar.fleet.node;

/** The node could not start; everything it had opened is closed again. */
public final class NodeStartException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean isConfiguration;

  NodeStartException(String message, boolean isConfiguration, Throwable cause) {
    super(message, cause);
    this.isConfiguration = isConfiguration;
  }

  /** Whether only another configuration can help. */
  public boolean isConfiguration() {
    return isConfiguration;
  }
}
