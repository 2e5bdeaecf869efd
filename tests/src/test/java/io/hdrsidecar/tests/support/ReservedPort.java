package io.hdrsidecar.tests.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A free port that stays ours while nobody listens on it: bound, not listening, and open to another
 * that binds with SO_REUSEADDR, as servers do.
 */
public final class ReservedPort implements AutoCloseable {
  private final Socket socket = new Socket();

  /** Picks one on the loopback address. */
  public ReservedPort() throws IOException {
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Its number. */
  public int number() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
