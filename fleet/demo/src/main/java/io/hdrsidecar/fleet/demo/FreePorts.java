package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports of loopback on which nobody listens, below those that systems give to connections: so one
 * stays free while a process that had it starts again.
 */
final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;

  private final Random random = new Random();
  private final Set<Integer> given = new HashSet<>();

  /** Another one. */
  int next() {
    while (true) {
      int port = random.nextInt(LOWEST, HIGHEST);
      if (given.add(port) && isFree(port)) {
        return port;
      }
    }
  }

  /** Whether somebody could listen on it. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false; // Somebody has it.
    }
  }
}
