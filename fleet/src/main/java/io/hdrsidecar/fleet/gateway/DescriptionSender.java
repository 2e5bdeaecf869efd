package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.function.Consumer;

/** Tells nodes what is said of series. Merge context only. */
final class DescriptionSender {
  private final String topic;
  private final HeapShare share;
  private final GatewayCounters counters;
  private final Consumer<Outgoing> sender;

  DescriptionSender(
      String topic, HeapShare share, GatewayCounters counters, Consumer<Outgoing> sender) {
    this.topic = topic;
    this.share = share;
    this.counters = counters;
    this.sender = sender;
  }

  /** Where there is no memory for it, it is counted and left. */
  void tell(FleetDestination destination, SeriesDescription description) {
    DescriptionRecord record =
        DescriptionRecord.of(topic, destination, description, share, counters);
    if (record == null) {
      counters.described(false);
    } else {
      sender.accept(record);
    }
  }
}
