package io.hdrsidecar.sidecar.transport;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An interval of one value to the sidecar, until it is acknowledged; one at a time. */
final class AcknowledgedInterval implements RoundTrip {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final long VALUE = 1_000_000;
  private static final int SERIES = 0;

  private final FrameConnection connection;
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
    connection = new FrameConnection(address);
    connection
        .out()
        .series(SERIES, new SeriesDefinition(series, Unit.NANOSECONDS, "Probes.", LAYOUT, HIGHEST));
    connection.flush();
  }

  @Override
  public void go() throws IOException {
    long now = System.currentTimeMillis();
    IntervalHeader figures = IntervalHeader.of(counted, now, now);
    connection.out().interval(++sequence, SERIES, figures, payload.duplicate());
    connection.flush();
    long settled = 0;
    while (settled < sequence) {
      settled = connection.awaitSettled();
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
