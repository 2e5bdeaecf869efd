package io.hdrsidecar.benchmarks.process;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports the system gave and took back a moment ago, for programs that cannot be given port 0. */
public final class FreePort {
  private FreePort() {}

  /** A TCP port of the loopback address. */
  public static int tcp() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A UDP port of it. */
  public static int udp() throws IOException {
    try (DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      return socket.getLocalPort();
    }
  }
}
