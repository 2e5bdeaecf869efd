package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import io.hdrsidecar.sidecar.merge.Sender;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * From an INTERVAL frame to its series: decodes the payload, compares it with the figures beside
 * it, and hands it on. Everything is checked before anything is changed. One for all connections,
 * since they share a thread; nothing is allocated after warm-up unless an interval is refused.
 */
final class IntervalReceiver implements AutoCloseable {
  private final IntervalSink sink;
  private final HistogramDecoder decoder;
  private final DecodedHistogram decoded = new DecodedHistogram();

  IntervalReceiver(IntervalSink sink) {
    this.sink = sink;
    this.decoder = new HistogramDecoder(sink.maxCounters(), new StreamInflater());
  }

  /**
   * Checks the interval and hands it to the sink.
   *
   * @param in the buffer the frame was read from
   * @param registered what its series id stands for, or null for nothing
   * @return the same, or, if that series had ended, the one that has begun in its place
   * @throws MalformedFrameException when the payload is no histogram within the limits
   * @throws RefusedException when payload, figures and series do not agree, or have no room
   * @throws NotNowException when the sink cannot take it now
   */
  Destination receive(
      Sender sender, IntervalFrame frame, ByteBuffer in, @Nullable Destination registered)
      throws MalformedFrameException, RefusedException, NotNowException {
    if (registered == null) {
      throw refused(
          RejectReason.UNKNOWN_SERIES,
          "series id " + Integer.toUnsignedString(frame.seriesId()) + " was not declared");
    }
    decoder.decode(
        in.array(), in.arrayOffset() + frame.payloadOffset(), frame.payloadLength(), decoded);
    checkLayout(registered);
    IntervalCheck.require(frame, decoded);
    Destination current = renewed(registered);
    sink.take(sender, current, decoded, frame, in);
    return current;
  }

  /** Comes after all checks: a series that has ended does not begin anew for a bad interval. */
  private Destination renewed(Destination registered) throws RefusedException {
    try {
      return sink.renewed(registered);
    } catch (RefusedException e) {
      throw refused(e.reason(), String.valueOf(e.getMessage()));
    }
  }

  private void checkLayout(Destination registered) throws RefusedException {
    if (!decoded.layout().equals(registered.layout())) {
      throw refused(
          RejectReason.LAYOUT_MISMATCH,
          "payload must have the layout its series was registered with, "
              + registered.layout()
              + ": "
              + decoded.layout());
    }
  }

  private static RefusedException refused(RejectReason reason, String message) {
    return new RefusedException(reason, message);
  }

  /** Frees the decoder's native memory. */
  @Override
  public void close() {
    decoder.close();
  }
}
