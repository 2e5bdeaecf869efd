package io.hdrsidecar.fleet.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Produces records of a topic a second time, as they are. */
final class TopicAgain {
  private static final int MOST_RECORDS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String brokers;
  private final String topic;
  private final int partitions;

  TopicAgain(String brokers, String topic, int partitions) {
    this.brokers = brokers;
    this.topic = topic;
    this.partitions = partitions;
  }

  /** Takes some from anywhere in any partition; says how many are there again. */
  int produceAgain(Random random) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> found = read(random);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", brokers, "acks", "all", "enable.idempotence", true),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sends = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> each : found) {
        sends.add(
            producer.send(
                new ProducerRecord<>(
                    topic, each.partition(), each.key(), each.value(), each.headers())));
      }
      producer.flush();
      for (Future<RecordMetadata> send : sends) {
        send.get(); // It is done, and throws if it failed.
      }
      return sends.size();
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> read(Random random) {
    List<TopicPartition> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      all.add(new TopicPartition(topic, i));
    }
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", brokers, "max.poll.records", MOST_RECORDS),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(all, PATIENCE);
      all.removeIf(partition -> ends.getOrDefault(partition, 0L) == 0);
      TopicPartition partition = all.get(random.nextInt(all.size()));
      consumer.assign(List.of(partition));
      consumer.seek(partition, (long) (random.nextDouble() * ends.getOrDefault(partition, 0L)));
      List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
      consumer.poll(PATIENCE).forEach(found::add);
      return found;
    }
  }
}
