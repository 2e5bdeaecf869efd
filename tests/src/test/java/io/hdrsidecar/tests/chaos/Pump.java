package io.hdrsidecar.tests.chaos;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One direction of a connection: a thread that reads from one socket and writes to the other. */
final class Pump implements Runnable {
  /** What happens to bytes that arrive. */
  enum Mode {
    /** Passed on at once. */
    FORWARD,
    /** Passed on at {@link #TRICKLE_BYTES} each {@link #TRICKLE_NANOS}. */
    TRICKLE,
    /** Taken and dropped, as by a network that has lost the way. */
    SWALLOW,
    /** Kept, to arrive later or never. */
    HOLD
  }

  private static final int BUFFER_BYTES = 4096;
  private static final int TRICKLE_BYTES = 128;
  private static final long TRICKLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Less than any socket takes unread, so that late bytes can be written at once. */
  private static final int MOST_HELD_BYTES = 64 * 1024;

  private final SocketChannel from;
  private final SocketChannel to;
  private final ProxiedConnection connection;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream(); // guarded by this
  private volatile Mode mode = Mode.FORWARD;
  private volatile long bytesUntilCut = Long.MAX_VALUE;

  Pump(SocketChannel from, SocketChannel to, ProxiedConnection connection) {
    this.from = from;
    this.to = to;
    this.connection = connection;
  }

  void mode(Mode next) {
    mode = next;
  }

  /** Ends the connection when so many more bytes have passed. */
  void cutAfter(long bytes) {
    bytesUntilCut = bytes;
  }

  @Override
  public void run() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try {
      while (from.read(buffer.clear()) >= 0) {
        deliver(buffer.flip());
      }
      if (isConnected()) {
        to.shutdownOutput();
        connection.directionEnded();
      }
    } catch (IOException e) {
      if (isConnected()) {
        connection.close();
      }
    }
  }

  /** While bytes vanish or are held, so does the news that there will be no more. */
  private boolean isConnected() {
    return mode == Mode.FORWARD || mode == Mode.TRICKLE;
  }

  private synchronized void deliver(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      switch (mode) {
        case FORWARD -> pass(bytes, bytes.remaining());
        case TRICKLE -> {
          pass(bytes, TRICKLE_BYTES);
          LockSupport.parkNanos(TRICKLE_NANOS);
        }
        case SWALLOW -> bytes.position(bytes.limit());
        case HOLD -> hold(bytes);
      }
    }
  }

  private void hold(ByteBuffer bytes) {
    if (held.size() < MOST_HELD_BYTES) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(bytes.position(), copy);
      held.writeBytes(copy);
    }
    bytes.position(bytes.limit());
  }

  private void pass(ByteBuffer bytes, int most) throws IOException {
    long left = bytesUntilCut;
    int length = (int) Math.min(Math.min(most, bytes.remaining()), left);
    ByteBuffer part = bytes.slice(bytes.position(), length);
    while (part.hasRemaining()) {
      to.write(part);
    }
    bytes.position(bytes.position() + length);
    if (left != Long.MAX_VALUE) {
      bytesUntilCut = left - length;
      if (left == length) {
        connection.close();
        throw new ClosedChannelException(); // the bytes left over go nowhere
      }
    }
  }

  synchronized int heldBytes() {
    return held.size();
  }

  /** Writes what was held: bytes that arrive late. */
  synchronized void release() throws IOException {
    ByteBuffer late = ByteBuffer.wrap(held.toByteArray());
    held.reset();
    while (late.hasRemaining()) {
      to.write(late);
    }
  }
}
