package io.hdrsidecar.sidecar.access;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Objects;

/** An address cannot be listened on; says which setting is about it, and what to do. */
public final class ListenException extends IOException {
  private static final long serialVersionUID = 1;

  private static final String HOST = "host";
  private static final String PORT = "port";
  private static final String SOCKET = "socket";

  private final String part;
  private final String problem;
  private final boolean mayPass;

  private ListenException(
      String setting, String part, String problem, boolean mayPass, Throwable cause) {
    super(setting + ": " + problem, cause);
    this.part = part;
    this.problem = problem;
    this.mayPass = mayPass;
  }

  /**
   * From what listening failed with, where host and port have a setting each.
   *
   * @param listener {@code ingest} or {@code http}, or that of another server
   */
  public static ListenException of(String listener, String host, int port, Throwable cause) {
    return of(listener + "." + HOST, listener + "." + PORT, host, port, cause);
  }

  /**
   * The same where one setting has both.
   *
   * @param setting such as {@code otlp.address}
   */
  public static ListenException ofAddress(String setting, String host, int port, Throwable cause) {
    return of(setting, setting, host, port, cause);
  }

  /**
   * A Unix socket cannot be given to a group.
   *
   * @param setting that names the group
   */
  public static ListenException ofGroup(
      String setting, String group, Path socket, FileSystemException cause) {
    String problem =
        group
            + " cannot be given to the socket "
            + socket
            + ": "
            + Objects.requireNonNullElse(cause.getReason(), cause.getClass().getSimpleName())
            + "; make this process a member of that group (in a pod:"
            + " securityContext.supplementalGroups or fsGroup), or name a group that it is in";
    return new ListenException(setting, SOCKET, problem, false, cause);
  }

  private static ListenException of(
      String hostSetting, String portSetting, String host, int port, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    String address = host + ":" + port;
    if (cause instanceof IOException && reason.contains("already in use")) {
      String fix =
          " is in use; end what listens there, or choose another port (0 takes a free one)";
      return new ListenException(portSetting, PORT, address + fix, true, cause);
    }
    if (cause instanceof UnknownHostException) {
      return new ListenException(hostSetting, HOST, "no such host: " + host, false, cause);
    }
    if (cause instanceof IOException && reason.contains("assign")) {
      String fix = " is not an address of this machine; 127.0.0.1 is loopback, 0.0.0.0 all of them";
      return new ListenException(hostSetting, HOST, host + fix, false, cause);
    }
    return new ListenException(
        portSetting, PORT, "cannot listen on " + address + ": " + reason, false, cause);
  }

  /** Which part of the address is the matter: {@code host}, {@code port} or {@code socket}. */
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
