package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillWriter;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/**
 * Writes what a client could not deliver to a file: what is in flight with the numbers it was sent
 * under, since the sidecar may have merged it, and then what waits, with the numbers that follow.
 * One interval at a time is encoded, so the end needs little memory. The sending thread, after its
 * connection has ended.
 */
final class Spill {
  private final SendConfig config;
  private final InstanceId instance;
  private final StateLog log;
  private long intervals;
  private long values;

  Spill(SendConfig config, InstanceId instance, StateLog log) {
    this.config = config;
    this.instance = instance;
    this.log = log;
  }

  /**
   * Writes all that this delivery has left, if there is a folder for it, and says so in one line.
   *
   * @param figures what is left
   * @param crash if it is open, all is there
   * @return what is written
   */
  Spilled leave(Delivery delivery, SendFigures figures, CrashLog crash) {
    SpillConfig spill = config.spill();
    String undelivered =
        "closed; not delivered to "
            + config.address()
            + ": intervals="
            + figures.waitingIntervals()
            + " values="
            + figures.waitingValues();
    if (crash.isOpen()) {
      log.always(Level.WARNING, undelivered + "; kept in " + crash);
      return Spilled.NOTHING;
    }
    if (spill == null) {
      log.always(Level.WARNING, undelivered);
      return Spilled.NOTHING;
    }
    try {
      Spilled spilled = write(spill.folder(), delivery);
      log.always(Level.WARNING, undelivered + "; written to " + spilled);
      return spilled;
    } catch (IOException | RuntimeException e) {
      log.always(Level.ERROR, undelivered + "; lost, as they cannot be spilled: " + e);
      return Spilled.NOTHING;
    }
  }

  private Spilled write(SpillFolder folder, Delivery delivery) throws IOException {
    try (SpillWriter writer =
        SpillWriter.begin(folder, instance, config.commonLabels(), config.clock().instant())) {
      delivery.drain(interval -> append(writer, interval));
      return new Spilled(intervals, values, writer.complete());
    }
  }

  private void append(SpillWriter writer, InFlight.EncodedInterval interval) throws IOException {
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
    try {
      writer.interval(interval.series().definition(), figures, payload);
      intervals++;
      values += interval.values();
    } catch (IllegalArgumentException e) {
      String series = interval.series().definition().key().toString();
      log.once(series, Level.ERROR, "cannot be spilled, and is lost: " + series + ": " + e);
    }
  }
}
