package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** What is said of a series. Intervals are merged without it, so nobody waits for it. */
final class DescriptionRecord implements Outgoing {
  private static final long OBJECT_BYTES = 320;

  private final String topic;
  private final FleetDestination destination;
  private final byte[] value;
  private final HeapShare share;
  private final GatewayCounters counters;
  private final AtomicBoolean isHeld = new AtomicBoolean(true);

  private DescriptionRecord(
      String topic,
      FleetDestination destination,
      byte[] value,
      HeapShare share,
      GatewayCounters counters) {
    this.topic = topic;
    this.destination = destination;
    this.value = value;
    this.share = share;
    this.counters = counters;
  }

  /** Null when there is no memory for it now. */
  static @Nullable DescriptionRecord of(
      String topic,
      FleetDestination destination,
      SeriesDescription description,
      HeapShare share,
      GatewayCounters counters) {
    byte[] value = description.bytes();
    return share.tryTake(heldBytes(value))
        ? new DescriptionRecord(topic, destination, value, share, counters)
        : null;
  }

  private static long heldBytes(byte[] value) {
    return OBJECT_BYTES + HeapShare.arrayCost(value.length);
  }

  @Override
  public ProducerRecord<byte[], byte[]> toSend(ProducerRun by) {
    return new ProducerRecord<>(topic, destination.partition(), destination.key(), value);
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    counters.described(exception == null);
    discard();
  }

  @Override
  public void discard() {
    if (isHeld.compareAndSet(true, false)) { // A send that throws may have called back before.
      share.release(heldBytes(value));
    }
  }
}
