package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesPartition;
import io.hdrsidecar.internal.wire.InstanceId;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a node and its broker need for an interval. Intervals lie on the topic when the node starts;
 * what it prints is the processor time of this JVM, in which both are, until all of them are
 * committed and shown. Some thousand only show that all are counted; {@code
 * -Dhdr.fleet.throughput=600000} measures.
 */
@Timeout(600)
class NodeThroughputIT {
  private static final int PARTITIONS = 8;
  private static final int SIDECARS = Integer.getInteger("hdr.fleet.sidecars", 100);
  private static final int SERIES = Integer.getInteger("hdr.fleet.series", 100);
  private static final int BODIES = 64;
  private static final int FIXED_BYTES = 72;

  @TempDir Path folder = Path.of("");

  private final SplittableRandom random = new SplittableRandom(1);
  private final SentIntervals intervals = new SentIntervals();

  @ParameterizedTest
  @ValueSource(ints = {256, 860})
  void intervals_onTheTopic_areMergedAndCommitted(int payloadBytes) throws Exception {
    int count = Integer.getInteger("hdr.fleet.throughput", 5_000);
    try (KafkaBroker brokers = KafkaBroker.direct()) {
      KafkaConfig config = new KafkaConfig(brokers.bootstrap(), null, "hdr", PARTITIONS, true, 1);
      new TopicCheck(config).require(config.clientProperties(), AclOperation.READ);
      long producing = cpuNanos();
      produce(brokers.bootstrap(), count, payloadBytes);
      producing = cpuNanos() - producing;

      try (FleetNode node = FleetNode.start(settings(brokers.bootstrap()), () -> {})) {
        while (node.counters().intervals() < count / 4) {
          Thread.sleep(10); // Until it is warm.
        }
        long before = node.counters().intervals();
        long begun = System.nanoTime();
        long cpu = cpuNanos();
        String all = "\"values\":" + valuesSent + ",";
        NodeAnswers.await(
            "all values are merged",
            () -> NodeAnswers.text(node.httpAddress(), "/api/v1/status").contains(all));
        cpu = cpuNanos() - cpu;
        begun = System.nanoTime() - begun;
        assertThat(node.counters().intervals()).isEqualTo(count);
        long measured = count - before;
        System.out.printf(
            "payload=%d intervals=%d series=%d sidecars=%d: %.1f us of processor each, %,.0f a"
                + " core-second, %,.0f a second; produced at %.1f us each%n",
            payloadBytes,
            measured,
            SERIES,
            SIDECARS,
            cpu / 1e3 / measured,
            measured / (cpu / 1e9),
            measured / (begun / 1e9),
            producing / 1e3 / count);
      }
    }
  }

  private long valuesSent;

  private NodeSettings settings(String brokers) throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--kafka-bootstrap-servers", brokers);
    flags.put("--kafka-replicas", "1");
    flags.put("--kafka-partitions", String.valueOf(PARTITIONS));
    flags.put("--node-state-directory", folder.resolve("state").toString());
    flags.put("--series-max", "200000");
    flags.put("--http-port", "0");
    return NodeSettings.load(flags, Map.of(), null);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private void produce(String brokers, int count, int payloadBytes) {
    List<FleetSeries> series = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      series.add(SentIntervals.series("latency", "route", "/route/" + i));
    }
    List<Headers> sidecars = new ArrayList<>();
    for (int i = 0; i < SIDECARS; i++) {
      sidecars.add(SentIntervals.of(new InstanceId(9, i)));
    }
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < BODIES; i++) {
      bodies.add(body(payloadBytes));
    }
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long[] numbers = new long[SIDECARS];
    long start = System.currentTimeMillis();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", brokers, "acks", "all", "linger.ms", 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        byte[] body = bodies.get(i % BODIES).clone();
        int sidecar = i % SIDECARS;
        FleetSeries of = series.get((i / SIDECARS) % SERIES);
        ByteBuffer.wrap(body)
            .putLong(0, ++numbers[sidecar])
            .putLong(12, start - 10_000)
            .putLong(20, start);
        valuesSent += ByteBuffer.wrap(body).getLong(28);
        Future<RecordMetadata> unused =
            producer.send(
                new ProducerRecord<>(
                    "hdr.intervals",
                    SeriesPartition.of(of.unit(), of.key(), PARTITIONS),
                    of.bytes(),
                    body,
                    sidecars.get(sidecar)),
                (sent, e) -> failure.compareAndSet(null, e));
      }
    }
    assertThat(failure.get()).isNull();
  }

  /** Of as many log-normal values around a millisecond as make such a payload. */
  private byte[] body(int payloadBytes) {
    List<Long> values = new ArrayList<>();
    byte[] body = {};
    while (body.length < FIXED_BYTES + payloadBytes) {
      for (int i = 0; i < 5; i++) {
        values.add((long) (1e6 * Math.exp(random.nextGaussian() / 2)));
      }
      body = intervals.body(1, 0, 1, values.stream().mapToLong(Long::longValue).toArray());
    }
    return body;
  }
}
