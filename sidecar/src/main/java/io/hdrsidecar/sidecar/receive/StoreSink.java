package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.ByteBuffer;
import java.util.Map;

/** Merges what is received. */
final class StoreSink implements IntervalSink {
  private final SeriesStore store;

  StoreSink(SeriesStore store) {
    this.store = store;
  }

  @Override
  public int maxCounters() {
    return store.config().maxCounters();
  }

  @Override
  public Registration register(SeriesDefinition definition, Labels own) throws RefusedException {
    return store.register(definition).registration(definition.layout());
  }

  @Override
  public Destination renewed(Destination destination) throws RefusedException {
    return store.renewed((Registration) destination);
  }

  @Override
  public void take(
      Sender sender,
      Destination destination,
      DecodedHistogram histogram,
      IntervalFrame frame,
      ByteBuffer in)
      throws RefusedException {
    store.merge(sender, ((Registration) destination).series(), histogram, frame);
  }

  @Override
  public void countRejected(RejectReason reason) {
    store.countRejected(reason);
  }

  @Override
  public Map<RejectReason, Long> rejected() {
    return store.rejected();
  }

  @Override
  public boolean remembersInstances() {
    return true;
  }
}
