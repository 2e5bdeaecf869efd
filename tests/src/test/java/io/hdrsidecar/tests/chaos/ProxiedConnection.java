package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.tests.chaos.Pump.Mode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client's connection and the one made for it to the sidecar, with what is done to them. */
final class ProxiedConnection {
  private static final int WAYS = 3;

  /** A WELCOME and an ACK together have about as many. */
  private static final int LONGEST_DOWN_BYTES = 50;

  private final SocketChannel client;
  private final SocketChannel sidecar;
  private final Pump up;
  private final Pump down;
  private final AtomicInteger directions = new AtomicInteger(2);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Starts to pass bytes both ways. */
  ProxiedConnection(SocketChannel client, SocketChannel sidecar) {
    this.client = client;
    this.sidecar = sidecar;
    this.up = new Pump(client, sidecar, this);
    this.down = new Pump(sidecar, client, this);
  }

  void start() {
    startThread(up, "up");
    startThread(down, "down");
  }

  private static void startThread(Pump pump, String name) {
    Thread thread = new Thread(pump, "chaos-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  boolean isOpen() {
    return closed.getCount() > 0;
  }

  /** One side has said that it sends no more; when both have, the connection is over. */
  void directionEnded() {
    if (directions.decrementAndGet() == 0) {
      close();
    }
  }

  /** Closes both sockets; what they have not sent yet may still arrive. */
  void close() {
    closed.countDown();
    close(client);
    close(sidecar);
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      return; // closed is closed
    }
  }

  /**
   * Ends the connection: at once by FIN, at once by RST, or after some more bytes one way, most
   * likely within a frame.
   */
  void cut(int variant) throws IOException {
    int bytes = 1 + variant / 4;
    switch (variant % 4) {
      case 0 -> close();
      case 1 -> reset();
      case 2 -> up.cutAfter(bytes);
      default -> down.cutAfter(1 + bytes % LONGEST_DOWN_BYTES);
    }
  }

  /** Waits for the end of a connection that is cut, and ends it then if no bytes have come. */
  void awaitEnd(long waitMillis) throws InterruptedException {
    if (!closed.await(waitMillis, TimeUnit.MILLISECONDS)) {
      close();
    }
  }

  private void reset() throws IOException {
    for (SocketChannel channel : new SocketChannel[] {client, sidecar}) {
      if (channel.isOpen() && channel.getRemoteAddress() instanceof InetSocketAddress) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    }
    close();
  }

  /** From now on bytes vanish, or are held back, one way or both ways. */
  void halfOpen(int variant) {
    Mode mode = isLate(variant) ? Mode.HOLD : Mode.SWALLOW;
    int way = variant / 2 % WAYS;
    if (way != 1) {
      up.mode(mode);
    }
    if (way != 2) {
      down.mode(mode);
    }
  }

  /** Ends what {@link #halfOpen} began; bytes held back arrive, all too late. */
  void endHalfOpen(int variant) {
    if (isLate(variant)) {
      try {
        up.release();
        down.release();
      } catch (IOException e) {
        close(); // nobody waits for them any more
      }
    }
    close();
  }

  /** Bytes held back now. */
  int heldBytes() {
    return up.heldBytes() + down.heldBytes();
  }

  private static boolean isLate(int variant) {
    return variant % 2 == 0;
  }

  /** Passes bytes slowly, one way or both, or at full speed again. */
  void slow(int variant, boolean isSlow) {
    Mode mode = isSlow ? Mode.TRICKLE : Mode.FORWARD;
    int way = variant % WAYS;
    if (way != 1) {
      up.mode(mode);
    }
    if (way != 2) {
      down.mode(mode);
    }
  }
}
