package io.hdrsidecar.fleet.node;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The heap for what Kafka's consumers have fetched and the node has not merged or restored yet. By
 * their own defaults it is 1 MiB of each partition that is read, whatever the heap.
 *
 * <p>A consumer holds one answer of each partition, and fetches the next when all records of it
 * have been given away; Kafka Streams asks for more once it has processed those. So there are two
 * answers of each partition at most. A single batch of records that is longer than an answer may be
 * is given out nevertheless, one at a time.
 *
 * @param bytes of the heap, for all consumers together
 */
record FetchMemory(long bytes) {
  /** As much as a sidecar needs for uploads and its journal, which a node does not have. */
  static final int PERCENT = 10;

  private static final int ANSWERS = 2;
  private static final int CONSUMERS = 2;
  private static final int TOPICS = 2;
  private static final int STORES = 4;

  /** With less, a fetch would cost more than what it carries. */
  private static final long LEAST_BYTES = 16 << 10;

  /** Kafka's own default. */
  private static final long MOST_BYTES = 1 << 20;

  static FetchMemory of(HeapBudget heap) {
    return new FetchMemory(HeapBudget.percentOf(PERCENT, heap.heapBytes()));
  }

  /**
   * For the properties of Kafka Streams.
   *
   * @param partitions of each topic, all of which this node may come to have
   */
  Map<String, Object> settings(int partitions) {
    String ofPartition = ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG;
    return Map.of(
        StreamsConfig.mainConsumerPrefix(ofPartition), answerBytes(partitions * TOPICS),
        StreamsConfig.restoreConsumerPrefix(ofPartition), answerBytes(partitions * STORES));
  }

  /**
   * How much brokers should wait for before they answer: at most half of what they may answer of a
   * single partition. Where only that one has records, they would always wait their full time.
   *
   * @param worthBytes what is worth an answer
   */
  int leastAnswer(int worthBytes, int partitions) {
    return Math.min(worthBytes, answerBytes(partitions * TOPICS) / 2);
  }

  private int answerBytes(int read) {
    long share = bytes / CONSUMERS / ANSWERS / read;
    return (int) Math.max(LEAST_BYTES, Math.min(MOST_BYTES, share));
  }
}
