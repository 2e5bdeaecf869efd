package io.hdrsidecar.internal.send;

import java.io.IOException;

/** The sidecar answered, and said why it will not serve this client. */
public final class ConnectionRefusedException extends IOException {
  private static final long serialVersionUID = 1;

  public ConnectionRefusedException(String message) {
    super(message);
  }
}
