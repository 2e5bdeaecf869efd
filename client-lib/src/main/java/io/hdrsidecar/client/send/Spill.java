package io.hdrsidecar.client.send;

import io.hdrsidecar.spill.SpillFolder;
import io.hdrsidecar.spill.SpillWriter;
import io.hdrsidecar.wire.FrameDecoder;
import io.hdrsidecar.wire.InstanceId;
import io.hdrsidecar.wire.IntervalFrame;
import io.hdrsidecar.wire.MalformedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes what a client could not deliver to a file: what is in flight with the numbers it was sent
 * under, since the sidecar may have merged it, and then what waits, with the numbers that follow.
 * One interval at a time is encoded, so the end needs little memory. The sending thread, after its
 * connection has ended.
 */
final class Spill {
  private final SpillFolder folder;
  private final InstanceId instance;
  private final SendConfig config;
  private long intervals;
  private long values;

  Spill(SpillFolder folder, InstanceId instance, SendConfig config) {
    this.folder = folder;
    this.instance = instance;
    this.config = config;
  }

  /** Writes all that this delivery has left, and says what that was; all of it or nothing. */
  Spilled write(Delivery delivery) throws IOException {
    try (SpillWriter writer =
        SpillWriter.begin(folder, instance, config.commonLabels(), config.clock().instant())) {
      delivery.drain(interval -> append(writer, interval));
      return new Spilled(intervals, values, writer.complete());
    }
  }

  private void append(SpillWriter writer, InFlight.Interval interval) throws IOException {
    ByteBuffer frame = interval.frame().duplicate();
    IntervalFrame figures = new IntervalFrame();
    FrameDecoder decoder = new FrameDecoder(frame.remaining());
    try {
      decoder.next(frame);
      decoder.interval(figures);
    } catch (MalformedFrameException e) {
      throw new IllegalStateException("a frame of our own making cannot be read", e);
    }
    int offset = frame.arrayOffset() + figures.payloadOffset();
    ByteBuffer payload = ByteBuffer.wrap(frame.array(), offset, figures.payloadLength());
    writer.interval(interval.series().definition(), figures, payload);
    intervals++;
    values += interval.values();
  }
}
