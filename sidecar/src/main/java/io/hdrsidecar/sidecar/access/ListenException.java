package io.hdrsidecar.sidecar.access;

import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;

/** An address cannot be listened on; says which setting is about it, and what to do. */
public final class ListenException extends IOException {
  private static final long serialVersionUID = 1;

  private final String part;
  private final String problem;
  private final boolean mayPass;

  private ListenException(
      String listener, String part, String problem, boolean mayPass, Throwable cause) {
    super(listener + "." + part + ": " + problem, cause);
    this.part = part;
    this.problem = problem;
    this.mayPass = mayPass;
  }

  /**
   * From what listening failed with.
   *
   * @param listener {@code ingest} or {@code http}, or that of another server
   */
  public static ListenException of(String listener, String host, int port, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    String address = host + ":" + port;
    if (cause instanceof BindException && reason.contains("already in use")) {
      String fix =
          " is in use; end what listens there, or choose another port (0 takes a free one)";
      return new ListenException(listener, "port", address + fix, true, cause);
    }
    if (cause instanceof UnknownHostException) {
      return new ListenException(listener, "host", "no such host: " + host, false, cause);
    }
    if (cause instanceof BindException && reason.contains("assign")) {
      String fix = " is not an address of this machine; 127.0.0.1 is loopback, 0.0.0.0 all of them";
      return new ListenException(listener, "host", host + fix, false, cause);
    }
    return new ListenException(
        listener, "port", "cannot listen on " + address + ": " + reason, false, cause);
  }

  /** Which part of the address is the matter: {@code host} or {@code port}. */
  public String part() {
    return part;
  }

  /** What is wrong with it, without the setting. */
  public String problem() {
    return problem;
  }

  /** Whether the same configuration may work at another time. */
  public boolean mayPass() {
    return mayPass;
  }
}
