package io.hdrsidecar.sidecar.access;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Which addresses only this machine, or this pod, reaches. */
public final class Loopback {
  private Loopback() {}

  /** Whether who listens there is reached from this machine alone; looks a name up. */
  public static boolean isAt(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // Listening there will fail, and say so.
    }
  }
}
