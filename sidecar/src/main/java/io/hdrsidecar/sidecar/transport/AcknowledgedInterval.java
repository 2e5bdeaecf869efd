package io.hdrsidecar.sidecar.transport;

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
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** An interval of one value to the sidecar, until it is acknowledged; one at a time. */
final class AcknowledgedInterval implements RoundTrip {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final long VALUE = 1_000_000;
  private static final int SERIES = 0;

  private final SocketChannel socket;
  private final FrameEncoder out = new FrameEncoder();
  private final FrameDecoder decoder = new FrameDecoder(1 << 16);
  private final ByteBuffer in = ByteBuffer.allocate(1 << 12).limit(0);
  private final Accumulation counted = new Accumulation(LAYOUT);
  private final ByteBuffer payload;
  private long sequence;

  /**
   * Connects and declares a series of its own.
   *
   * @param address {@code tcp://host:port} or {@code unix:///path}
   */
  AcknowledgedInterval(String address, SeriesKey series) throws IOException {
    counted.counts().add(LAYOUT.indexOf(VALUE), 1);
    counted.sum().add(VALUE);
    counted.widen(VALUE, VALUE);
    try (HistogramEncoder encoder = new HistogramEncoder()) {
      ByteBuffer encoded = encoder.encode(counted.counts(), HIGHEST, 0);
      payload = ByteBuffer.allocate(encoded.remaining()).put(encoded).flip();
    }
    socket = Sockets.connect(address);
    out.hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), ""));
    flush();
    Frame welcome = next();
    if (!(welcome instanceof Frame.Welcome)) {
      throw new IOException("expected WELCOME from " + address + ", came " + welcome);
    }
    out.series(SERIES, new SeriesDefinition(series, Unit.NANOSECONDS, "Probes.", LAYOUT, HIGHEST));
    flush();
  }

  @Override
  public void go() throws IOException {
    long now = System.currentTimeMillis();
    out.interval(++sequence, SERIES, IntervalHeader.of(counted, now, now), payload.duplicate());
    flush();
    long settled = 0;
    while (settled < sequence) {
      Frame answer = next();
      if (!(answer instanceof Frame.Ack ack)) {
        throw new IOException("expected ACK, came " + answer);
      }
      settled = ack.sequence();
    }
  }

  private Frame next() throws IOException {
    try {
      while (!decoder.next(in)) {
        Sockets.read(socket, in.compact());
        in.flip();
      }
      return decoder.frame();
    } catch (MalformedFrameException e) {
      throw new IOException("the sidecar's answer is no frame", e);
    }
  }

  private void flush() throws IOException {
    Sockets.write(socket, ByteBuffer.wrap(out.take()));
  }

  @Override
  public void close() throws IOException {
    out.goodbye();
    flush();
    socket.close();
  }
}
