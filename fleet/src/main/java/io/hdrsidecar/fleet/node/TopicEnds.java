package io.hdrsidecar.fleet.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows which partitions have been read to their end, and until when records have come to any
 * partition of this node. So time passes in a partition that gets no more records, as long as
 * others do; when none does, brokers or gateways may be away. Any thread.
 */
final class TopicEnds {
  private final Map<Thread, Consumer<?, ?>> consumers = new ConcurrentHashMap<>();
  private final AtomicLong newestMillis = new AtomicLong();

  /** This thread reads by that consumer. */
  void reads(Consumer<?, ?> consumer) {
    consumers.put(Thread.currentThread(), consumer);
  }

  /** A record came to a partition, at that time. */
  void came(long millis) {
    newestMillis.accumulateAndGet(millis, Math::max);
  }

  /** The latest time at which one came to any; 0 for never. */
  long newestMillis() {
    return newestMillis.get();
  }

  /**
   * Whether all of a partition of this thread has been read and merged, as far as the last answer
   * of the broker says.
   *
   * @param next the offset up to which records have been merged
   */
  boolean isAt(TopicPartition partition, long next) {
    Consumer<?, ?> consumer = consumers.get(Thread.currentThread());
    return consumer != null
        && consumer.assignment().contains(partition)
        && consumer.currentLag(partition).orElse(1) == 0
        && consumer.position(partition) == next;
  }
}
