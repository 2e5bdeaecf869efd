package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.route.PeerAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * What Kafka Streams is told. The user's file comes first; what the counts rest on comes last, so
 * that nothing in the file can change it.
 */
final class StreamsProperties {
  /**
   * How long brokers wait for a commit. They abort a longer one, and its work is done again; and so
   * long they wait for a node that died in the midst of one, before another may read behind it. A
   * transaction lasts for the commit alone: some 100 ms, or seconds where a node has hundreds of
   * thousands of series or a slow disk.
   */
  static final Duration TRANSACTION = Duration.ofSeconds(60);

  /** After which a node that says nothing is taken for dead. */
  private static final int SESSION_MILLIS = 10_000;

  private static final int HEARTBEAT_MILLIS = 2_000;

  /**
   * The thread that polls also fills what is shown when partitions come, each series in turn. A
   * process that has gone is found by its heartbeats long before.
   */
  private static final int POLL_MILLIS = 15 * 60 * 1000;

  /**
   * What is worth a fetch, where the heap has room for that of each partition. Brokers wait for it
   * half a second at most, a twentieth of the time between commits; many small fetches cost broker
   * and node more than what they carry. With 64 KiB a node that merges 5 MB a second would ask 75
   * times a second; with this it asks five times, and what comes in the meantime lies in larger
   * answers.
   */
  private static final int FETCH_BYTES = 1 << 20;

  private StreamsProperties() {}

  /** What nodes are to Kafka: their group, and how all that they make there begins. */
  static String application(NodeConfig config) {
    return config.kafka().topicPrefix() + "-node";
  }

  /**
   * All of them.
   *
   * @param address where other nodes ask this one
   * @throws IOException when the user's file cannot be read
   */
  static Properties of(
      NodeConfig config, RocksMemory memory, FetchMemory fetched, PeerAddress address)
      throws IOException {
    Properties all = new Properties();
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_MILLIS);
    all.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
        HEARTBEAT_MILLIS);
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG), POLL_MILLIS);
    all.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG),
        fetched.leastAnswer(FETCH_BYTES, config.kafka().partitions()));
    all.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    all.put(
        StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
        String.valueOf(config.kafka().minInSyncReplicas()));
    all.putAll(config.kafka().clientProperties());

    all.put(StreamsConfig.APPLICATION_ID_CONFIG, application(config));
    all.put(StreamsConfig.CLIENT_ID_CONFIG, ""); // Has the process then, for LeftTransactions.
    all.put(StreamsConfig.APPLICATION_SERVER_CONFIG, address.toString());
    all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    all.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic"); // The other has no warm-up replicas.
    all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitInterval().toMillis());
    all.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        (int) TRANSACTION.toMillis());
    all.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        NodeTopology.MAX_RECORD_BYTES);
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    all.putAll(fetched.settings(config.kafka().partitions()));
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    all.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbyReplicas());
    all.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.kafka().replicas());
    all.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDirectory().toAbsolutePath().toString());
    // As it will be by default; there is no global thread here, and it warns otherwise.
    all.put("processing.exception.handler.global.enabled", true);
    all.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    all.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    all.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, RocksMemory.Setter.class);
    all.put(RocksMemory.KEY, memory);
    return all;
  }
}
