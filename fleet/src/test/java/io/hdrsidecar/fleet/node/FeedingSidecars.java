package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesPartition;
import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.internal.wire.InstanceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Some sidecars whose intervals a gateway produces: in order of their numbers, and now and then
 * some of them again, as after a lost connection.
 */
final class FeedingSidecars implements AutoCloseable {
  private static final int RESENT_AT_MOST = 20;

  private static final class Sent {
    private final int partition;
    private final byte[] key;
    private final byte[] value;

    Sent(int partition, byte[] key, byte[] value) {
      this.partition = partition;
      this.key = key;
      this.value = value;
    }
  }

  private final TopicNames topics;
  private final int partitions;
  private final SplittableRandom random;
  private final SentIntervals sent = new SentIntervals();
  private final List<FleetSeries> series = new ArrayList<>();
  private final List<List<Sent>> bySidecar = new ArrayList<>();
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Future<RecordMetadata>> sends = new ArrayList<>();
  private long resent;

  FeedingSidecars(
      String brokers, TopicNames topics, int partitions, int sidecars, int ofSeries, long seed) {
    this.topics = topics;
    this.partitions = partitions;
    this.random = new SplittableRandom(seed);
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", brokers, "acks", "all", "enable.idempotence", true),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    for (int i = 0; i < ofSeries; i++) {
      series.add(SentIntervals.series("latency", "route", "/r" + i));
    }
    for (int i = 0; i < sidecars; i++) {
      bySidecar.add(new ArrayList<>());
    }
  }

  SentIntervals sent() {
    return sent;
  }

  List<FleetSeries> series() {
    return series;
  }

  /** Intervals that were sent again. */
  long resent() {
    return resent;
  }

  /** Sends some intervals of any series of any sidecar. */
  void send(int intervals) throws ExecutionException, InterruptedException {
    for (int i = 0; i < intervals; i++) {
      int sidecar = random.nextInt(bySidecar.size());
      List<Sent> before = bySidecar.get(sidecar);
      if (random.nextInt(200) == 0) {
        int from = Math.max(0, before.size() - random.nextInt(1, RESENT_AT_MOST));
        before.subList(from, before.size()).forEach(again -> produce(sidecar, again));
        resent += before.size() - from;
      }
      sendNext(sidecar, series.get(random.nextInt(series.size())));
    }
    flush();
  }

  /** Sends one more interval of each series, behind all that was sent and sent again. */
  void sendToEach() throws ExecutionException, InterruptedException {
    series.forEach(each -> sendNext(0, each));
    flush();
  }

  private void sendNext(int sidecar, FleetSeries of) {
    List<Sent> before = bySidecar.get(sidecar);
    long now = System.currentTimeMillis();
    long[] values =
        random
            .longs(random.nextInt(1, 40), 1_000, 2_000_000_000)
            .map(v -> v >>> random.nextInt(12))
            .toArray();
    byte[] value = sent.value(of, before.size() + 1L, now - 1000, now, values);
    int partition = SeriesPartition.of(of.unit(), of.key(), partitions);
    Sent next = new Sent(partition, of.bytes(), value);
    before.add(next);
    produce(sidecar, next);
  }

  private void flush() throws ExecutionException, InterruptedException {
    producer.flush();
    for (Future<RecordMetadata> each : sends) {
      each.get(); // It is done, and throws if it failed.
    }
    sends.clear();
  }

  private void produce(int sidecar, Sent interval) {
    sends.add(
        producer.send(
            new ProducerRecord<>(
                topics.intervals(),
                interval.partition,
                interval.key,
                interval.value,
                SentIntervals.of(new InstanceId(7, sidecar)))));
  }

  @Override
  public void close() {
    producer.close();
  }
}
