package io.hdrsidecar.tests.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Stands between one client and the sidecar, on TCP or on a Unix socket, and never goes away
 * itself. Public proxies of this kind know neither Unix sockets nor bytes that arrive after their
 * connection was replaced, and need a container.
 */
final class CutProxy implements AutoCloseable {
  /** Small, so that a client notices at once when nobody reads. */
  private static final int RECEIVE_BUFFER_BYTES = 8 * 1024;

  private final ServerSocketChannel listener;
  private final Supplier<Optional<SocketAddress>> sidecar;
  private final String address;
  private final List<ProxiedConnection> connections = new ArrayList<>(); // guarded by this

  private CutProxy(
      ServerSocketChannel listener, String address, Supplier<Optional<SocketAddress>> sidecar) {
    this.listener = listener;
    this.address = address;
    this.sidecar = sidecar;
    Thread thread = new Thread(this::accept, "chaos-accept");
    thread.setDaemon(true);
    thread.start();
  }

  /** Listens on a free port; connects to where the sidecar listens by then, if it does. */
  static CutProxy tcp(Supplier<Optional<SocketAddress>> sidecar) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    InetSocketAddress bound = (InetSocketAddress) listener.getLocalAddress();
    return new CutProxy(listener, "tcp://127.0.0.1:" + bound.getPort(), sidecar);
  }

  /** The same on a Unix socket. */
  static CutProxy unix(UnixDomainSocketAddress path, Supplier<Optional<SocketAddress>> sidecar)
      throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(path);
    return new CutProxy(listener, "unix://" + path.getPath(), sidecar);
  }

  /** What the client is told. */
  String address() {
    return address;
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel client = listener.accept();
        Thread thread = new Thread(() -> connect(client), "chaos-connect");
        thread.setDaemon(true);
        thread.start(); // to connect may take as long as the sidecar is stopped
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(SocketChannel client) {
    try {
      Optional<SocketAddress> there = sidecar.get();
      if (there.isEmpty()) {
        client.close();
        return;
      }
      ProxiedConnection connection = new ProxiedConnection(client, SocketChannel.open(there.get()));
      add(connection);
      connection.start();
    } catch (IOException e) {
      closeQuietly(client);
    }
  }

  private static void closeQuietly(SocketChannel client) {
    try {
      client.close();
    } catch (IOException e) {
      return; // the client sees an end in either case
    }
  }

  private synchronized void add(ProxiedConnection connection) {
    connections.removeIf(known -> !known.isOpen());
    connections.add(connection);
    notifyAll();
  }

  /**
   * The newest connection that stands, waiting for one.
   *
   * @throws AssertionError when the client does not connect for so long that it must have given up
   */
  synchronized ProxiedConnection awaitConnection(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      for (int i = connections.size() - 1; i >= 0; i--) {
        if (connections.get(i).isOpen()) {
          return connections.get(i);
        }
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("no connection by way of " + address + " for " + patience);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    listener.close();
    connections.forEach(ProxiedConnection::close);
  }
}
