package io.hdrsidecar.benchmarks.peers.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Passes on what goes over connections, TCP or Unix, and counts the bytes of both directions. */
final class CountingProxy implements Wire {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SocketAddress destination;
  private final ServerSocketChannel server;
  private final AtomicLong bytes = new AtomicLong();
  private final List<SocketChannel> open = new CopyOnWriteArrayList<>();

  /**
   * @param listen where to take connections; TCP port 0 picks a free one
   * @param destination where to pass them on to
   */
  CountingProxy(SocketAddress listen, SocketAddress destination) throws IOException {
    this.destination = destination;
    boolean unix = listen instanceof UnixDomainSocketAddress;
    this.server =
        ServerSocketChannel.open(unix ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET);
    server.bind(listen);
    start(this::acceptAll, "accept");
  }

  /** The TCP port it listens on. */
  int port() {
    return server.socket().getLocalPort();
  }

  @Override
  public long bytes() {
    return bytes.get();
  }

  private void acceptAll() throws IOException {
    while (server.isOpen()) {
      SocketChannel from = server.accept();
      open.add(from);
      start(() -> connect(from), "there");
    }
  }

  /** When nobody is there, the connection ends at once, as it would without a proxy. */
  private void connect(SocketChannel from) throws IOException {
    try (from) {
      SocketChannel to = SocketChannel.open(destination);
      open.add(to);
      start(() -> pump(to, from), "back");
      pump(from, to);
    }
  }

  private void pump(SocketChannel from, SocketChannel to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (from;
        to) {
      while (from.read(buffer.clear()) >= 0) {
        buffer.flip();
        bytes.addAndGet(buffer.remaining());
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  /** A connection that ends, ends its threads; the two ends see it end, too. */
  private static void start(Work work, String name) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (ClosedChannelException e) {
                // Closed by the other direction, or by close().
              } catch (IOException e) {
                if (!String.valueOf(e.getMessage())
                    .matches("Connection re(set|fused).*|Broken pipe")) {
                  throw new UncheckedIOException(e);
                }
              }
            },
            "proxy, " + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
