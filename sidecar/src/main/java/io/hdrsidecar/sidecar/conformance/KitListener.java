package io.hdrsidecar.sidecar.conformance;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/** Where the client of a case connects to. */
final class KitListener implements Closeable {
  private static final int BACKLOG = 50;

  private final String address;
  private final Accepting accepting;
  private final Closeable socket;

  @FunctionalInterface
  private interface Accepting {
    Link accept() throws IOException;
  }

  private KitListener(String address, Accepting accepting, Closeable socket) {
    this.address = address;
    this.accepting = accepting;
    this.socket = socket;
  }

  private static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }

  static KitListener tcp() throws IOException {
    ServerSocket server = new ServerSocket(0, BACKLOG, loopback());
    String address = "tcp://127.0.0.1:" + server.getLocalPort();
    return new KitListener(address, () -> Link.of(server.accept()), server);
  }

  static KitListener tls(SSLContext context) throws IOException {
    ServerSocket server =
        context.getServerSocketFactory().createServerSocket(0, BACKLOG, loopback());
    String address = "tls://127.0.0.1:" + server.getLocalPort();
    return new KitListener(address, () -> Link.of(server.accept()), server);
  }

  static KitListener unix(Path path) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
    return new KitListener("unix://" + path, () -> Link.of(server.accept()), server);
  }

  /** An address at which nobody listens. */
  static String nobody() throws IOException {
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(loopback(), 0));
      return "tcp://127.0.0.1:" + server.getLocalPort();
    }
  }

  /** As clients are told it. */
  String address() {
    return address;
  }

  Link accept() throws IOException {
    return accepting.accept();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
