package io.hdrsidecar.tests.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between clients and a sidecar, and keeps the sidecar's answers to itself, but for the
 * first on each connection, which is WELCOME: clients are connected, and never learn what was
 * merged.
 */
public final class MuteProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Listens on a free port of the loopback interface. */
  public MuteProxy(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    spawn(this::accept);
  }

  /** Where clients send. */
  public String address() {
    return "tcp://127.0.0.1:" + server.getLocalPort();
  }

  private static void spawn(Runnable task) {
    Thread thread = new Thread(task, "mute-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        open.add(client);
        Socket sidecar = new Socket();
        open.add(sidecar);
        sidecar.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        spawn(() -> pump(client, sidecar, Integer.MAX_VALUE));
        spawn(() -> pump(sidecar, client, 1));
      }
    } catch (IOException e) {
      closeAll(); // As it is when the test ends.
    }
  }

  private static void pump(Socket from, Socket to, int passed) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int left = passed;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (left > 0) {
          out.write(buffer, 0, read);
          left--;
        }
      }
    } catch (IOException e) {
      return; // One side has gone, and so the other goes.
    }
  }

  private void closeAll() {
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    closeAll();
  }
}
