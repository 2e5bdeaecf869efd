package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * From an INTERVAL frame to its series: decodes the payload, compares it with the figures beside
 * it, and merges. Everything is checked before anything is changed. One for all connections, since
 * they share a thread; nothing is allocated after warm-up unless an interval is refused.
 */
final class IntervalReceiver implements AutoCloseable {
  private final SeriesStore store;
  private final HistogramDecoder decoder;
  private final DecodedHistogram decoded = new DecodedHistogram();

  IntervalReceiver(SeriesStore store) {
    this.store = store;
    this.decoder = new HistogramDecoder(store.config().maxCounters());
  }

  /**
   * Merges the interval.
   *
   * @param in the buffer the frame was read from
   * @param registered what its series id stands for, or null for nothing
   * @return the same, or, if that series had ended, the one that has begun in its place
   * @throws MalformedFrameException when the payload is no histogram within the limits
   * @throws RefusedException when payload, figures and series do not agree, or have no room
   */
  Registration receive(
      Sender sender, IntervalFrame frame, ByteBuffer in, @Nullable Registration registered)
      throws MalformedFrameException, RefusedException {
    if (registered == null) {
      throw refused(
          RejectReason.UNKNOWN_SERIES,
          "series id " + Integer.toUnsignedString(frame.seriesId()) + " was not declared");
    }
    decoder.decode(
        in.array(), in.arrayOffset() + frame.payloadOffset(), frame.payloadLength(), decoded);
    checkLayout(registered);
    IntervalCheck.require(frame, decoded);
    Registration current = renewed(registered);
    store.merge(sender, current.series(), decoded, frame);
    return current;
  }

  /** Comes after all checks: a series that has ended does not begin anew for a bad interval. */
  private Registration renewed(Registration registered) throws RefusedException {
    try {
      return store.renewed(registered);
    } catch (RefusedException e) {
      throw refused(e.reason(), String.valueOf(e.getMessage()));
    }
  }

  private void checkLayout(Registration registered) throws RefusedException {
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
