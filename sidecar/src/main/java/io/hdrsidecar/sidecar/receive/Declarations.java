package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import java.util.function.Supplier;

/** The SERIES frames of one connection. Merge context only. */
final class Declarations {
  private final ConnectionContext shared;
  private final FrameDecoder decoder;
  private final DeclaredIds ids;
  private final Supplier<RejectedClient> client;

  Declarations(
      ConnectionContext shared,
      FrameDecoder decoder,
      DeclaredIds ids,
      Supplier<RejectedClient> client) {
    this.shared = shared;
    this.decoder = decoder;
    this.ids = ids;
    this.client = client;
  }

  /**
   * Reads the SERIES that has been decoded; one that is refused costs its client that series.
   *
   * @throws NotNowException when the connection must end
   */
  void read(CommonLabels commonLabels) throws NotNowException {
    int id = decoder.seriesId();
    try {
      if (!(decoder.frame() instanceof Frame.Series series)) {
        throw new IllegalStateException("SERIES was not read as SERIES");
      }
      register(series.id(), series.definition(), commonLabels);
    } catch (MalformedFrameException e) {
      reject(id, e.reason(), String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      reject(id, e.reason(), String.valueOf(e.getMessage()));
    }
  }

  private void register(int id, SeriesDefinition said, CommonLabels commonLabels)
      throws RefusedException, NotNowException {
    Labels own = commonLabels.addSaidTo(said);
    SeriesDefinition definition = commonLabels.addTo(said, own);
    requirePlace(id);
    Destination destination = shared.sink().register(definition, own);
    boolean declared = false;
    try {
      declare(id, destination);
      declared = true;
    } finally {
      if (!declared) {
        destination.release();
      }
    }
  }

  private void requirePlace(int id) throws RefusedException, NotNowException {
    try {
      ids.requirePlace(id);
    } catch (RefusedException e) {
      throw orNotNow(e);
    }
  }

  private void declare(int id, Destination destination) throws RefusedException, NotNowException {
    try {
      ids.declare(id, destination);
    } catch (RefusedException e) {
      throw orNotNow(e);
    }
  }

  /**
   * A series that is refused as there is no room here, another server would take. Where there are
   * several, the series must not be lost at one and count at the other: its numbers would not
   * ascend there.
   */
  private RefusedException orNotNow(RefusedException noRoom) throws NotNowException {
    if (shared.sink().remembersInstances()) {
      return noRoom;
    }
    throw new NotNowException(noRoom.reason(), noRoom.getMessage() + "; or connect again");
  }

  private void reject(int id, RejectReason reason, String message) {
    ids.remove(id);
    shared.rejects().count(reason, client);
    shared.encoder().reject(Frame.Reject.Scope.SERIES, Integer.toUnsignedLong(id), reason, message);
  }
}
