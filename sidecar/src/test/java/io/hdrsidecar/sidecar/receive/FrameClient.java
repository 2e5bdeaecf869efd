package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A client of frames over a real socket. Reading blocks until the sidecar answers or closes; tests
 * that use it have a time limit.
 */
final class FrameClient implements AutoCloseable {
  static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  static final long HIGHEST = 1L << 42;

  private final SocketChannel socket;
  private final FrameEncoder out = new FrameEncoder();
  private final HistogramEncoder histograms = new HistogramEncoder();
  private final FrameDecoder decoder = new FrameDecoder(1 << 20);
  private final ByteBuffer in = ByteBuffer.allocate(1 << 20).limit(0);

  FrameClient(int port) throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  FrameClient(SocketAddress address) throws IOException {
    socket = SocketChannel.open(address);
  }

  /** Says HELLO and gives the answer. */
  Frame.Welcome hello(InstanceId instance, String... commonLabels) throws Exception {
    sendHello(instance, commonLabels);
    return (Frame.Welcome) next();
  }

  void sendHello(InstanceId instance, String... commonLabels) throws IOException {
    out.hello(new Frame.Hello(FrameEncoder.VERSION, instance, Labels.of(commonLabels), ""));
    flush();
  }

  void sendHelloWithToken(InstanceId instance, String token) throws IOException {
    out.hello(new Frame.Hello(FrameEncoder.VERSION, instance, Labels.empty(), token));
    flush();
  }

  static SeriesDefinition definition(String name, String... labels) {
    return definition(name, Unit.NANOSECONDS, LAYOUT, labels);
  }

  static SeriesDefinition definition(
      String name, Unit unit, BucketLayout layout, String... labels) {
    return new SeriesDefinition(new SeriesKey(name, Labels.of(labels)), unit, "", layout, HIGHEST);
  }

  FrameClient series(int id, SeriesDefinition definition) throws IOException {
    out.series(id, definition);
    return flush();
  }

  FrameClient interval(long sequence, int seriesId, long... values) throws IOException {
    Accumulation counted = counted(LAYOUT, values);
    long now = System.currentTimeMillis();
    return interval(sequence, seriesId, IntervalHeader.of(counted, now - 1_000, now), counted);
  }

  FrameClient interval(long sequence, int seriesId, IntervalHeader figures, Accumulation counted)
      throws IOException {
    out.interval(sequence, seriesId, figures, histograms.encode(counted.counts(), HIGHEST, 1));
    return flush();
  }

  static Accumulation counted(BucketLayout layout, long... values) {
    Accumulation counted = new Accumulation(layout);
    for (long value : values) {
      counted.counts().add(layout.indexOf(value), 1);
      counted.sum().add(value);
      counted.widen(value, value);
    }
    return counted;
  }

  /** Sends what was encoded elsewhere. */
  FrameClient send(byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      socket.write(rest);
    }
    return this;
  }

  FrameClient send(FrameEncoder encoder) throws IOException {
    return send(encoder.take());
  }

  private FrameClient flush() throws IOException {
    return send(out.take());
  }

  /** The next frame; fails when the sidecar closes first. */
  Frame next() throws IOException, MalformedFrameException {
    return read().orElseThrow(() -> new AssertionError("the sidecar has closed the connection"));
  }

  /** The next frame, or nothing when the sidecar has closed. */
  Optional<Frame> read() throws IOException, MalformedFrameException {
    while (!decoder.next(in)) {
      in.compact();
      int count = socket.read(in);
      in.flip();
      if (count < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(decoder.frame());
  }

  /** Reads up to the ACK of this number; gives what was rejected before it. */
  List<Frame.Reject> awaitAck(long sequence) throws IOException, MalformedFrameException {
    List<Frame.Reject> rejects = new ArrayList<>();
    while (true) {
      Frame frame = next();
      if (frame instanceof Frame.Reject reject) {
        rejects.add(reject);
      } else if (frame instanceof Frame.Ack ack && ack.sequence() >= sequence) {
        return rejects;
      }
    }
  }

  /** The next frame, which must be a REJECT. */
  RejectReason rejectedWith(Frame.Reject.Scope scope) throws IOException, MalformedFrameException {
    Frame frame = next();
    if (frame instanceof Frame.Reject reject && reject.scope() == scope) {
      return RejectReason.ofCode(reject.code()).orElseThrow();
    }
    throw new AssertionError("expected REJECT of a " + scope + ", came " + frame);
  }

  /** Reads until the sidecar closes. */
  void awaitClose() throws MalformedFrameException {
    try {
      while (read().isPresent()) {
        // Whatever it still has to say.
      }
    } catch (IOException reset) {
      // Also a close, when it had bytes of ours unread.
    }
  }

  @Override
  public void close() throws IOException {
    histograms.close();
    socket.close();
  }
}
