package io.hdrsidecar.sidecar.conformance;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.SplittableRandom;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/** Where the client of a case connects to. */
final class KitListener implements Closeable {
  private static final int BACKLOG = 50;

  /**
   * Below the ports that a system gives when any will do. A client whose sidecar had such a port
   * before, and is gone, tries it again and again, and would be taken for the client of a case.
   */
  private static final int FIRST_PORT = 10_000;

  private static final int AFTER_LAST_PORT = 32_768;

  /** From here to those: no kit listens there, also not one that runs at the same time. */
  private static final int FIRST_FREE_PORT = 5_000;

  private static final int ATTEMPTS = 100;

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
    ServerSocket server = bound(ServerSocketFactory.getDefault(), FIRST_PORT, AFTER_LAST_PORT);
    String address = "tcp://127.0.0.1:" + server.getLocalPort();
    return new KitListener(address, () -> Link.of(server.accept()), server);
  }

  static KitListener tls(SSLContext context) throws IOException {
    ServerSocket server = bound(context.getServerSocketFactory(), FIRST_PORT, AFTER_LAST_PORT);
    String address = "tls://127.0.0.1:" + server.getLocalPort();
    return new KitListener(address, () -> Link.of(server.accept()), server);
  }

  static KitListener unix(Path path) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
    return new KitListener("unix://" + path, () -> Link.of(server.accept()), server);
  }

  private static ServerSocket bound(ServerSocketFactory factory, int first, int afterLast)
      throws IOException {
    SplittableRandom random = new SplittableRandom();
    for (int attempt = 1; ; attempt++) {
      int port = random.nextInt(first, afterLast);
      try {
        return factory.createServerSocket(port, BACKLOG, loopback());
      } catch (BindException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** An address at which nobody listens. */
  static String nobody() throws IOException {
    try (ServerSocket server =
        bound(ServerSocketFactory.getDefault(), FIRST_FREE_PORT, FIRST_PORT)) {
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
