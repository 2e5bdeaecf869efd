package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** A partition without brokers, its offsets from 0. The driver commits after each record. */
final class DrivenPartition implements AutoCloseable {
  static final long MINUTE = 60_000;
  static final long HOUR = 60 * MINUTE;
  static final long DAY = 24 * HOUR;
  static final List<String> STORES =
      List.of(
          NodeTopology.TOTALS, NodeTopology.STEPS, NodeTopology.NUMBERS, NodeTopology.DESCRIPTIONS);
  private static final TopicNames TOPICS = new TopicNames("hdr");

  private final SeriesStore shown = new SeriesStore(MergeConfig.defaults());
  private final FleetView view = new FleetView(shown, Runnable::run);
  private final AtomicLong nanos = new AtomicLong();
  private final CommitListener commits =
      new CommitListener(() -> nanos.addAndGet(nanosOfLook()), StreamsProperties.TRANSACTION);
  private final NodeCounters counters = new NodeCounters();
  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> intervals;
  private final TestInputTopic<byte[], byte[]> series;
  private long lookNanos;

  DrivenPartition(Path folder, Uuid topic) {
    this(folder, topic, HeapBudget.of(256 << 20).share(Use.INGEST));
  }

  DrivenPartition(Path folder, Uuid topic, HeapShare memory) {
    NodeParts parts =
        new NodeParts(
            TOPICS,
            topic,
            new MergeLimits(1 << 19, 4, 64 << 20, HOUR, DAY, MINUTE, 0),
            KeptMemory.of(memory),
            StepLengths.of(Duration.ofMinutes(30), Duration.ofHours(6)),
            commits,
            view,
            new StepsPast(() -> store(NodeTopology.STEPS)),
            counters);
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    driver = new TopologyTestDriver(NodeTopology.of(TOPICS, parts), config);
    ByteArraySerializer bytes = new ByteArraySerializer();
    intervals = driver.createInputTopic(TOPICS.intervals(), bytes, bytes);
    series = driver.createInputTopic(TOPICS.series(), bytes, bytes);
  }

  private long nanosOfLook() {
    return lookNanos;
  }

  /** How long it takes from now on to look at something in a store; at first no time. */
  void lookTakes(Duration time) {
    lookNanos = time.toNanos();
  }

  KeyValueStore<Bytes, byte[]> store(String name) {
    return driver.getKeyValueStore(name);
  }

  /** All that its stores have, as a node finds it that takes the partition over. */
  void take(DrivenPartition from) {
    for (String name : STORES) {
      from.entries(name).forEach(entry -> store(name).put(entry.key, entry.value));
    }
  }

  List<KeyValue<Bytes, byte[]>> entries(String store) {
    List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store(store).all()) {
      all.forEachRemaining(entries::add);
    }
    return entries;
  }

  void send(InstanceId from, FleetSeries to, byte[] value, long at) {
    intervals.pipeInput(new TestRecord<>(to.bytes(), value, SentIntervals.of(from), at));
  }

  void describe(FleetSeries of, byte @Nullable [] value, long at) {
    series.pipeInput(new TestRecord<>(of.bytes(), value, new RecordHeaders(), at));
  }

  /** From now on the consumer of this thread says that it has given out so many, of all so many. */
  void isRead(long given, long all) {
    TopicPartition partition = new TopicPartition(TOPICS.intervals(), 0);
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.assign(List.of(partition));
    consumer.seek(partition, given);
    consumer.updateEndOffsets(Map.of(partition, all));
    commits.ends().reads(consumer);
  }

  /** A record comes to another partition of the same node; here a second passes, and a commit. */
  void othersGet(long at) {
    commits.ends().came(at);
    driver.advanceWallClockTime(Duration.ofSeconds(1));
  }

  void commit() {
    commits.committed();
  }

  SeriesStore shown() {
    return shown;
  }

  FleetView view() {
    return view;
  }

  NodeCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    driver.close();
  }
}
