package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.topic.InstanceHeader;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.memory.HeapShare;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** An interval on its way to Kafka: from the merge context to the sending thread and back. */
final class ProducedRecord implements Outgoing {
  /** This, what Kafka's producer keeps of each record, and its places in queues. */
  private static final long OBJECT_BYTES = 320;

  private final String topic;
  private final InstanceId sender;
  private final FleetDestination destination;
  private final long heldBytes;
  private final long sinceNanos;
  private byte @Nullable [] value;
  private @Nullable ProducerRun run;
  private volatile boolean acknowledged;

  ProducedRecord(
      String topic,
      InstanceId sender,
      FleetDestination destination,
      byte[] value,
      long heldBytes,
      long sinceNanos) {
    this.topic = topic;
    this.sender = sender;
    this.destination = destination;
    this.value = value;
    this.heldBytes = heldBytes;
    this.sinceNanos = sinceNanos;
  }

  /** What one with a value of this length holds of the heap. */
  static long bytesOf(int valueBytes) {
    return OBJECT_BYTES + HeapShare.arrayCost(valueBytes);
  }

  @Override
  public ProducerRecord<byte[], byte[]> toSend(ProducerRun by) {
    run = by;
    byte[] body = value;
    value = null; // The producer copies it.
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, destination.partition(), destination.key(), body);
    InstanceHeader.write(sender, record.headers());
    return record;
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    ProducerRun by = run;
    if (by == null) {
      throw new IllegalStateException("completed and never sent");
    }
    if (exception == null) {
      acknowledged = true;
      by.acknowledged();
    } else {
      by.failed(exception);
    }
  }

  /** Whether Kafka has it. Any thread. */
  boolean isAcknowledged() {
    return acknowledged;
  }

  /** What it holds of the heap until it is acknowledged. */
  long heldBytes() {
    return heldBytes;
  }

  /** When it came. */
  long sinceNanos() {
    return sinceNanos;
  }
}
