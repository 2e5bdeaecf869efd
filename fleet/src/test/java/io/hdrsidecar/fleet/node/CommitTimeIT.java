package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.route.PeerAddress;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose stores are so slow that a real broker aborts each of its commits. */
@Timeout(300)
class CommitTimeIT {
  private static final TopicNames TOPICS = new TopicNames("slow");
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");
  private static final Duration TRANSACTION = Duration.ofSeconds(2);

  @TempDir Path folder = Path.of("");

  /** Each look takes a second, so that a commit takes several. */
  private static long slowNanos() {
    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    return System.nanoTime();
  }

  private static NodeParts parts(CommitListener commits) {
    return new NodeParts(
        TOPICS,
        Uuid.randomUuid(),
        new MergeLimits(1 << 19, 4, 64 << 20, DrivenPartition.HOUR, DrivenPartition.DAY, 60_000, 0),
        KeptMemory.of(HeapBudget.of(256 << 20).share(Use.INGEST)),
        StepLengths.of(Duration.ofMinutes(30), Duration.ofHours(6)),
        commits,
        new FleetView(new SeriesStore(MergeConfig.defaults()), Runnable::run),
        new StepsPast(
            () -> {
              throw new InvalidStateStoreException("nobody asks");
            }),
        new NodeCounters());
  }

  private static void send(KafkaBroker broker) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            broker.properties(), new ByteArraySerializer(), new ByteArraySerializer())) {
      long now = System.currentTimeMillis();
      byte[] value = new SentIntervals().value(PAY, 1, now - 1000, now, 5);
      InstanceId sidecar = new InstanceId(1, 2);
      producer
          .send(
              new ProducerRecord<>(
                  TOPICS.intervals(), 0, PAY.bytes(), value, SentIntervals.of(sidecar)))
          .get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void commitsThatTakeTooLong_endTheNodeAndSayWhy() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    try (KafkaBroker broker = KafkaBroker.direct();
        RocksMemory memory = new RocksMemory(8 << 20, NodeTopology.STORES)) {
      broker.createTopics("slow", 1);
      send(broker);
      NodeConfig config =
          NodeSettings.load(
                  Map.of(
                      "--kafka-bootstrap-servers", broker.bootstrap(),
                      "--kafka-topic-prefix", "slow",
                      "--kafka-partitions", "1",
                      "--kafka-replicas", "1",
                      "--node-commit-interval", "500ms",
                      "--node-standby-replicas", "0",
                      "--node-state-directory", folder.toString()),
                  Map.of(),
                  null)
              .node();
      CommitListener commits = new CommitListener(CommitTimeIT::slowNanos, TRANSACTION);
      Properties all =
          StreamsProperties.of(
              config, memory, new FetchMemory(8 << 20), new PeerAddress("localhost", 1));
      all.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), (int) TRANSACTION.toMillis());
      try (KafkaStreams streams =
          new KafkaStreams(NodeTopology.of(TOPICS, parts(commits)), all, commits)) {
        streams.setUncaughtExceptionHandler(
            e -> {
              failure.complete(e);
              return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
        streams.start();
        assertThat(failure.get(250, TimeUnit.SECONDS))
            .hasStackTraceContaining("a commit must be written within 1 s")
            .hasStackTraceContaining("the last 3 took longer");
      }
    }
  }
}
