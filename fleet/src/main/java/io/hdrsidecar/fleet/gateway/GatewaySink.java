package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.fleet.topic.SeriesPartition;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.sidecar.receive.IntervalSink;
import io.hdrsidecar.sidecar.receive.NotNowException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Makes records of intervals. What it refuses follows from the series alone, so every gateway of
 * the same settings refuses the same. Merge context only, unless said otherwise.
 */
final class GatewaySink implements IntervalSink {
  private final GatewayLimits limits;
  private final int partitions;
  private final SeriesKeys keys;
  private final ProducedLog log;
  private final DescriptionSender desk;
  private final GatewayCounters counters;

  GatewaySink(
      GatewayLimits limits,
      int partitions,
      SeriesKeys keys,
      ProducedLog log,
      DescriptionSender desk,
      GatewayCounters counters) {
    this.limits = limits;
    this.partitions = partitions;
    this.keys = keys;
    this.log = log;
    this.desk = desk;
    this.counters = counters;
  }

  @Override
  public int maxCounters() {
    return limits.maxCounters();
  }

  @Override
  public Destination register(SeriesDefinition definition, Labels own)
      throws RefusedException, NotNowException {
    limits.require(definition, own);
    SeriesKey key = definition.key();
    FleetDestination destination =
        keys.hold(
            new FleetSeries(definition.unit(), key).bytes(),
            SeriesPartition.of(definition.unit(), new SeriesKey(key.name(), own), partitions),
            definition.layout());
    if (destination.isNews(definition.help(), definition.highestTrackableValue())) {
      desk.tell(
          destination,
          new SeriesDescription(definition.help(), destination.highestTrackableValue()));
    }
    return destination;
  }

  @Override
  public Destination renewed(Destination destination) {
    return destination;
  }

  @Override
  public void take(
      Sender sender,
      Destination destination,
      DecodedHistogram histogram,
      IntervalFrame frame,
      ByteBuffer in)
      throws NotNowException {
    log.produce(sender, (FleetDestination) destination, frame, in);
    sender.settle(frame.sequence());
  }

  @Override
  public void countRejected(RejectReason reason) {
    counters.rejected(reason);
  }

  /** Any thread. */
  @Override
  public Map<RejectReason, Long> rejected() {
    return counters.rejected().snapshot();
  }

  @Override
  public boolean remembersInstances() {
    return false;
  }
}
