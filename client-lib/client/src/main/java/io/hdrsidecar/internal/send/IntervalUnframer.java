package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.nio.ByteBuffer;

/**
 * Takes an encoded interval apart again, so that it can be encoded anew: needed when a sidecar
 * comes back with a lower limit for frames than the one an interval was encoded for.
 */
public final class IntervalUnframer {
  private IntervalUnframer() {}

  /** Puts the contents of a frame that was not merged back among what waits. */
  static void putBack(InFlight.EncodedInterval interval, PendingIntervals pending, CrashLog crash) {
    DecodedHistogram histogram = new DecodedHistogram();
    IntervalFrame figures = figures(interval, histogram);
    crash.takenBack(interval, histogram.counts(), figures.sumMinMax().sum());
    pending.putBack(interval.series(), histogram.counts(), figures);
  }

  /**
   * Adds the contents of a frame that was never sent.
   *
   * @return its times
   */
  public static IntervalFrame addTo(Accumulation target, InFlight.EncodedInterval interval) {
    DecodedHistogram histogram = new DecodedHistogram();
    IntervalFrame figures = figures(interval, histogram);
    target.add(histogram.counts(), figures.sumMinMax());
    target.offer(figures.exemplar());
    return figures;
  }

  private static IntervalFrame figures(
      InFlight.EncodedInterval interval, DecodedHistogram histogram) {
    ByteBuffer frame = interval.frame().duplicate();
    FrameDecoder decoder = new FrameDecoder(frame.remaining());
    IntervalFrame figures = new IntervalFrame();
    try (HistogramDecoder histograms =
        new HistogramDecoder(interval.series().definition().counters())) {
      decoder.next(frame);
      decoder.interval(figures);
      int offset = frame.arrayOffset() + figures.payloadOffset();
      histograms.decode(frame.array(), offset, figures.payloadLength(), histogram);
    } catch (MalformedFrameException e) {
      throw new IllegalStateException("a frame of our own making cannot be read", e);
    }
    return figures;
  }
}
