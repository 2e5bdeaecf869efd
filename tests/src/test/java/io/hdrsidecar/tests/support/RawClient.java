package io.hdrsidecar.tests.support;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.EnumSet;
import java.util.Set;

/**
 * A client that speaks frames and has no limits of its own: what it is told to send, it sends. It
 * heeds the in-flight window. One thread.
 */
public final class RawClient implements AutoCloseable {
  /** A sidecar stops reading from a client that does not read its answers. */
  private static final int MOST_UNREAD = 256;

  private static final int SEND_BYTES = 32 << 10;

  private final SocketChannel socket;
  private final FrameEncoder out = new FrameEncoder();
  private final HistogramEncoder histograms = new HistogramEncoder();
  private final FrameDecoder decoder = new FrameDecoder(1 << 20);
  private final ByteBuffer in = ByteBuffer.allocate(1 << 20).limit(0);
  private final int maxInFlight;
  private final Set<RejectReason> expected = EnumSet.noneOf(RejectReason.class);
  private long refused;
  private long sent;
  private long settled;

  /** Connects and says HELLO. */
  public RawClient(String address) throws IOException, MalformedFrameException {
    URI uri = URI.create(address);
    socket = SocketChannel.open(new InetSocketAddress(uri.getHost(), uri.getPort()));
    out.hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), ""));
    flush();
    if (!(next() instanceof Frame.Welcome welcome)) {
      throw new AssertionError("no WELCOME");
    }
    maxInFlight = welcome.maxInFlight();
  }

  /** Says what an id stands for. */
  public void declare(int id, SeriesDefinition definition) throws IOException {
    out.series(id, definition);
    flushIfLarge();
  }

  /** Sends an interval of the second that ends now. */
  public void send(int id, Accumulation counted, long highestTrackableValue)
      throws IOException, MalformedFrameException {
    long now = System.currentTimeMillis();
    send(id, counted, highestTrackableValue, now - 1000, now);
  }

  /** Sends an interval of any time, in milliseconds since 1970. */
  public void send(
      int id, Accumulation counted, long highestTrackableValue, long startMillis, long endMillis)
      throws IOException, MalformedFrameException {
    while (sent - settled >= Math.min(maxInFlight, MOST_UNREAD)) {
      flush();
      readAnswer();
    }
    sent++;
    out.interval(
        sent,
        id,
        IntervalHeader.of(counted, startMillis, endMillis),
        histograms.encode(counted.counts(), highestTrackableValue, 0));
    flushIfLarge();
  }

  /** Waits until all that was sent is settled. */
  public void awaitSettled() throws IOException, MalformedFrameException {
    flush();
    while (settled < sent) {
      readAnswer();
    }
  }

  /** Counts intervals refused for this reason from now on, and does not fail. */
  public void expect(RejectReason reason) {
    expected.add(reason);
  }

  /** Intervals refused for a reason that was expected. */
  public long refused() {
    return refused;
  }

  /** Other refusals are mistakes of the test, or what it is there to find. */
  private void readAnswer() throws IOException, MalformedFrameException {
    Frame frame = next();
    if (frame instanceof Frame.Reject reject
        && reject.scope() == Frame.Reject.Scope.INTERVAL
        && RejectReason.ofCode(reject.code()).filter(expected::contains).isPresent()) {
      refused++;
      return;
    }
    if (!(frame instanceof Frame.Ack ack)) {
      throw new AssertionError("expected ACK, came " + frame);
    }
    settled = ack.sequence();
  }

  private Frame next() throws IOException, MalformedFrameException {
    while (!decoder.next(in)) {
      in.compact();
      int count = socket.read(in);
      in.flip();
      if (count < 0) {
        throw new AssertionError("the sidecar has closed the connection");
      }
    }
    return decoder.frame();
  }

  private void flushIfLarge() throws IOException {
    if (out.size() >= SEND_BYTES) {
      flush();
    }
  }

  private void flush() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(out.take());
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    histograms.close();
    socket.close();
  }
}
