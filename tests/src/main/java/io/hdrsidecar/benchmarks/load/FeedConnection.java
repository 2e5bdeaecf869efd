package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One client connection with series of its own, which sends them an interval each in turn, as fast
 * as the protocol allows: never more unanswered than WELCOME says. Anything but an ACK for an
 * answer is an error. One thread; {@link #settled} is for any.
 */
final class FeedConnection implements AutoCloseable {
  private static final int SEND_BYTES = 64 << 10;

  private final SocketChannel socket;
  private final IntervalPool pool;
  private final int series;
  private final FrameEncoder out = new FrameEncoder();
  private final FrameDecoder decoder = new FrameDecoder(1 << 20);
  private final ByteBuffer in = ByteBuffer.allocate(64 << 10).limit(0);
  private final long maxInFlight;
  private long sent;
  private long sentValues;
  private volatile long settled;

  /** Connects, says HELLO and declares its series, the first of which has this number. */
  FeedConnection(String address, IntervalPool pool, int firstSeries, int series)
      throws IOException {
    this.pool = pool;
    this.series = series;
    socket = open(address);
    out.hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), ""));
    flush();
    if (!(next() instanceof Frame.Welcome welcome)) {
      throw new IOException("no WELCOME from " + address);
    }
    maxInFlight = welcome.maxInFlight();
    for (int i = 0; i < series; i++) {
      out.series(i, IntervalPool.definition(firstSeries + i));
    }
    flush();
  }

  private static SocketChannel open(String address) throws IOException {
    String path = address.substring(address.indexOf("://") + 3);
    if (address.startsWith("unix://")) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(path));
      return channel;
    }
    int colon = path.lastIndexOf(':');
    SocketAddress tcp =
        new InetSocketAddress(
            path.substring(0, colon), Integer.parseInt(path.substring(colon + 1)));
    return SocketChannel.open(tcp);
  }

  /** Sends the next series an interval of the second that ends now, when there is room for it. */
  void send(long nowMillis) throws IOException {
    while (sent - settled >= maxInFlight) {
      flush();
      readAnswer();
    }
    IntervalHeader figures = pool.figures(sent, nowMillis);
    sent++;
    sentValues += figures.count();
    out.interval(sent, (int) (sent % series), figures, pool.payload(sent - 1));
    if (out.size() >= SEND_BYTES) {
      flush();
    }
  }

  /** Waits until all that was sent is settled. */
  void awaitSettled() throws IOException {
    flush();
    while (settled < sent) {
      readAnswer();
    }
  }

  /** Intervals the sidecar has acknowledged. */
  long settled() {
    return settled;
  }

  /** Intervals sent. */
  long sent() {
    return sent;
  }

  /** Values in them. */
  long sentValues() {
    return sentValues;
  }

  private void readAnswer() throws IOException {
    Frame answer = next();
    if (!(answer instanceof Frame.Ack ack)) {
      throw new IOException("expected ACK, came " + answer);
    }
    settled = ack.sequence();
  }

  private Frame next() throws IOException {
    try {
      while (!decoder.next(in)) {
        in.compact();
        if (socket.read(in) < 0) {
          throw new EOFException("the sidecar has closed the connection");
        }
        in.flip();
      }
      return decoder.frame();
    } catch (MalformedFrameException e) {
      throw new IOException("the sidecar's answer is no frame", e);
    }
  }

  private void flush() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(out.take());
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
  }

  /** Says GOODBYE. */
  @Override
  public void close() throws IOException {
    out.goodbye();
    flush();
    socket.close();
  }
}
