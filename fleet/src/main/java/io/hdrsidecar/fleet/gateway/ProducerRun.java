package io.hdrsidecar.fleet.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * The life of one producer, until a record fails.
 *
 * <p>Nothing may be sent behind a record that failed: what lies in a partition must have all before
 * it that its client sent on the same connection. A producer has one request under way to each
 * broker, so the first failure is known before anything is sent behind it, and the producer is
 * closed in that very call.
 */
final class ProducerRun {
  private final Producer<byte[], byte[]> producer;
  private final Runnable onAcknowledged;
  private final Runnable onFailed;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile boolean hasAcknowledged;

  ProducerRun(Producer<byte[], byte[]> producer, Runnable onAcknowledged, Runnable onFailed) {
    this.producer = producer;
    this.onAcknowledged = onAcknowledged;
    this.onFailed = onFailed;
  }

  Producer<byte[], byte[]> producer() {
    return producer;
  }

  /** Kafka has one more record. */
  void acknowledged() {
    hasAcknowledged = true;
    onAcknowledged.run();
  }

  /** Whether Kafka has ever taken a record. */
  boolean hasAcknowledged() {
    return hasAcknowledged;
  }

  /** A record will never be there: the end. On a thread of the producer, or the sending one. */
  void failed(Exception cause) {
    if (failure.compareAndSet(null, cause)) {
      producer.close(Duration.ZERO);
      onFailed.run();
    }
  }

  /** What ended it, or null while it goes on. */
  @Nullable Exception failure() {
    return failure.get();
  }
}
