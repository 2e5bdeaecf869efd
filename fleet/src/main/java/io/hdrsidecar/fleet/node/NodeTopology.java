package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.TopicNames;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * What Kafka Streams runs: both topics into one processor with its stores, once for each partition.
 */
final class NodeTopology {
  /** Counts since a series began. */
  static final String TOTALS = "totals";

  /** Counts of steps of time. */
  static final String STEPS = "steps";

  /** Last numbers of instances. */
  static final String NUMBERS = "numbers";

  /** What is said about series. */
  static final String DESCRIPTIONS = "descriptions";

  /** No store, but a part of the commit. */
  static final String COMMIT = "commit";

  /** Those that have contents, of each partition. */
  static final int STORES = 4;

  /** A sum may have half a million buckets, and several layouts. */
  static final int MAX_RECORD_BYTES = 16 << 20;

  private static final String MERGE = "merge";
  private static final AutoOffsetReset ALL = AutoOffsetReset.earliest();
  private static final String[] SOURCES = {"intervals", "series"};

  private NodeTopology() {}

  static Topology of(TopicNames topics, NodeParts parts) {
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    return new Topology()
        .addSource(ALL, SOURCES[0], NodeTopology::millis, bytes, bytes, topics.intervals())
        .addSource(ALL, SOURCES[1], NodeTopology::millis, bytes, bytes, topics.series())
        .addProcessor(MERGE, () -> new PartitionMerge(parts), SOURCES)
        .addStateStore(logged(TOTALS), MERGE)
        .addStateStore(logged(STEPS), MERGE)
        .addStateStore(logged(NUMBERS), MERGE)
        .addStateStore(logged(DESCRIPTIONS), MERGE)
        .addStateStore(CommitStore.builder(COMMIT), MERGE);
  }

  /** A producer can stamp a record with less than 0; that must not stop a partition. */
  static long millis(ConsumerRecord<Object, Object> record, long partitionTime) {
    return Math.max(0, record.timestamp());
  }

  /** Written once a commit, from sums on the heap: a cache in between would only hold it twice. */
  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> logged(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
        .withLoggingEnabled(
            Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(MAX_RECORD_BYTES)))
        .withCachingDisabled();
  }
}
