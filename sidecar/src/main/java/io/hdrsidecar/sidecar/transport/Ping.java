package io.hdrsidecar.sidecar.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A byte to another thread and back, both with blocking sockets: what the machine gives to a JVM
 * before anybody's protocol.
 */
final class Ping implements RoundTrip {
  private final SocketChannel here;
  private final SocketChannel there;
  private final @Nullable Path file;
  private final ByteBuffer sent = ByteBuffer.allocateDirect(1);

  private Ping(ServerSocketChannel server, @Nullable Path file) throws IOException {
    this.file = file;
    SocketAddress address = server.getLocalAddress();
    here = Sockets.connect(address);
    there = server.accept(); // is in the backlog already
    Sockets.sendAtOnce(there);
    Thread echo = new Thread(this::echo, "ping-echo");
    echo.setDaemon(true);
    echo.start();
  }

  /** Over loopback. */
  static Ping overTcp() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return new Ping(server, null);
    }
  }

  /** Over a Unix socket, whose file is in this folder until it is closed. */
  static Ping overUnixSocket(Path folder) throws IOException {
    Path file = folder.resolve("ping.sock");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(file));
      return new Ping(server, file);
    }
  }

  private void echo() {
    ByteBuffer one = ByteBuffer.allocateDirect(1);
    try {
      while (there.read(one.clear()) > 0) {
        Sockets.write(there, one.flip());
      }
    } catch (IOException e) {
      // Closed by close(), or broken; then go() fails and says so.
    }
  }

  @Override
  public void go() throws IOException {
    Sockets.write(here, sent.clear());
    Sockets.read(here, sent.clear());
  }

  @Override
  public void close() throws IOException {
    here.close();
    there.close();
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
