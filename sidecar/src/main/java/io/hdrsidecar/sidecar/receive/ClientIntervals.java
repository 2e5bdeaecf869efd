package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** The INTERVAL frames of one connection. Merge context only. */
final class ClientIntervals {
  private final ConnectionContext shared;
  private final FrameDecoder decoder;
  private final DeclaredIds seriesIds;
  private final Supplier<RejectedClient> client;

  ClientIntervals(
      ConnectionContext shared,
      FrameDecoder decoder,
      DeclaredIds seriesIds,
      Supplier<RejectedClient> client) {
    this.shared = shared;
    this.decoder = decoder;
    this.seriesIds = seriesIds;
    this.client = client;
  }

  /**
   * Merges the INTERVAL that has been decoded, unless that is done already; one that is refused is
   * settled, too.
   *
   * @throws MalformedFrameException when its series is forgotten: the connection must end
   * @throws NotNowException when the connection must end, and the interval come again
   */
  void read(Instance known, ByteBuffer unread) throws MalformedFrameException, NotNowException {
    long sequence = decoder.intervalSequence();
    if (sequence < 1) {
      reject(sequence, RejectReason.BAD_FRAME, "sequence number must be 1 or more: " + sequence);
      return;
    }
    if (sequence <= known.lastSequence()) {
      shared.counters().duplicate();
      return;
    }
    known.checkGap(sequence);
    try {
      decoder.interval(shared.interval());
    } catch (MalformedFrameException e) {
      reject(sequence, e.reason(), String.valueOf(e.getMessage()));
      known.settle(sequence);
      return;
    }
    merge(known, shared.interval(), unread);
    known.settle(sequence);
  }

  private void merge(Instance known, IntervalFrame frame, ByteBuffer unread)
      throws MalformedFrameException, NotNowException {
    Destination registered = seriesIds.find(frame.seriesId());
    if (registered != null && registered.isForgotten()) {
      // Not settled: the client connects again, declares the series, and sends this once more.
      throw new MalformedFrameException(
          RejectReason.SERIES_FORGOTTEN,
          "series id "
              + Integer.toUnsignedString(frame.seriesId())
              + " ended long ago and is forgotten; connect again and declare it");
    }
    try {
      Destination used = shared.receiver().receive(known, frame, unread, registered);
      if (used != registered) {
        seriesIds.renew(frame.seriesId(), used);
      }
    } catch (MalformedFrameException e) {
      lose(frame, e.reason(), String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      lose(frame, e.reason(), String.valueOf(e.getMessage()));
    }
  }

  private void lose(IntervalFrame frame, RejectReason reason, String message) {
    shared.counters().lost(reason, Math.max(frame.count(), 0));
    reject(frame.sequence(), reason, message);
  }

  private void reject(long sequence, RejectReason reason, String message) {
    shared.rejects().count(reason, client);
    shared.encoder().reject(Frame.Reject.Scope.INTERVAL, sequence, reason, message);
  }
}
