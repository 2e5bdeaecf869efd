package io.hdrsidecar.fleet.support;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A TCP port that leads to another one, to none, to another than before, or lets nothing on. */
public final class SwitchedWay implements AutoCloseable {
  private static final int NOWHERE = 0;

  private final ServerSocket listener;
  private final List<Socket> open = new ArrayList<>(); // guarded by this
  private boolean isHeld; // guarded by this
  private volatile int target = NOWHERE;

  /** On a free port of loopback; leads nowhere yet. */
  public SwitchedWay() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    begin(this::accept);
  }

  private static void begin(Runnable task) {
    Thread thread = new Thread(task, "switched-way");
    thread.setDaemon(true);
    thread.start();
  }

  /** Where it is entered. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Ends what goes over it, and leads there from now on. */
  public void leadTo(int port) {
    target = port;
    cut();
  }

  /** Ends what goes over it, and lets nothing through. */
  public void leadNowhere() {
    leadTo(NOWHERE);
  }

  /** Ends what goes over it. */
  public synchronized void cut() {
    open.forEach(SwitchedWay::close);
    open.clear();
  }

  /** Nothing that is sent arrives, and nobody is told. */
  public synchronized void hold() {
    isHeld = true;
  }

  /** What was held goes on. */
  public synchronized void release() {
    isHeld = false;
    notifyAll();
  }

  /** How many connections go over it. */
  public synchronized int connections() {
    open.removeIf(Socket::isClosed);
    return open.size() / 2;
  }

  private synchronized void awaitRelease() throws InterruptedIOException {
    while (isHeld) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        join(listener.accept());
      } catch (IOException e) {
        return; // It is closed.
      }
    }
  }

  private void join(Socket here) {
    int port = target;
    if (port == NOWHERE) {
      close(here);
      return;
    }
    try {
      Socket there = new Socket(InetAddress.getLoopbackAddress(), port);
      synchronized (this) {
        open.add(here);
        open.add(there);
      }
      if (port != target) {
        cut();
      }
      begin(() -> copy(here, there));
      begin(() -> copy(there, here));
    } catch (IOException e) {
      close(here); // Nobody listens there.
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] bytes = new byte[64 << 10];
    try {
      for (int count = from.getInputStream().read(bytes);
          count >= 0;
          count = from.getInputStream().read(bytes)) {
        awaitRelease();
        to.getOutputStream().write(bytes, 0, count);
      }
    } catch (IOException e) {
      // One of them is closed; so is the other now.
    } finally {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As an address of the address family that everybody here uses. */
  public String hostAndPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port())
            .getAddress()
            .getHostAddress()
        + ":"
        + port();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
    release();
  }
}
