package io.hdrsidecar.fleet.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A commit in its midst. Brokers wait for its end longer than any test here. */
final class OpenTransaction {
  private static final Duration BROKERS_WAIT = Duration.ofMinutes(10);
  private static final Pattern PROCESS = Pattern.compile("\"processId\" *: *\"([^\"]+)\"");

  private final Properties brokers;
  private final String id;
  private final KafkaProducer<byte[], byte[]> producer;

  private OpenTransaction(Properties brokers, String id) {
    this.brokers = brokers;
    this.id = id;
    Properties all = new Properties();
    all.putAll(brokers);
    all.put("transactional.id", id);
    all.put("transaction.timeout.ms", (int) BROKERS_WAIT.toMillis());
    this.producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** With a record in each partition that no node could read. */
  static OpenTransaction begin(Properties brokers, String id, String topic, int partitions)
      throws Exception {
    OpenTransaction transaction = new OpenTransaction(brokers, id);
    byte[] foreign = "not committed".getBytes(StandardCharsets.UTF_8);
    transaction.producer.initTransactions();
    transaction.producer.beginTransaction();
    for (int partition = 0; partition < partitions; partition++) {
      transaction
          .producer
          .send(new ProducerRecord<>(topic, partition, foreign, foreign))
          .get(30, TimeUnit.SECONDS);
    }
    return transaction;
  }

  /** What Kafka Streams calls the process that has this folder of its application. */
  static String process(Path folder) throws IOException {
    Matcher found =
        PROCESS.matcher(Files.readString(folder.resolve("kafka-streams-process-metadata")));
    if (!found.find()) {
      throw new IOException("no process in " + folder);
    }
    return found.group(1);
  }

  /** The beginning of a topic as the group's position in it; the group has no members. */
  OpenTransaction withPositions(String group, String topic, int partitions) {
    Properties all = new Properties();
    all.putAll(brokers);
    all.put("group.id", group);
    try (KafkaConsumer<byte[], byte[]> nobody =
        new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (int partition = 0; partition < partitions; partition++) {
        producer.sendOffsetsToTransaction(
            Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(0)),
            nobody.groupMetadata());
      }
    }
    return this;
  }

  /** As when its process is killed; brokers keep it open. */
  void abandon() throws Exception {
    producer.close(Duration.ZERO);
    if (!isOpen()) {
      throw new IllegalStateException("brokers know that " + id + " has gone");
    }
  }

  /** Whether brokers wait for its end. */
  boolean isOpen() throws Exception {
    try (Admin admin = Admin.create(brokers)) {
      TransactionDescription found =
          admin.describeTransactions(List.of(id)).all().get(30, TimeUnit.SECONDS).get(id);
      return found != null && found.state() == TransactionState.ONGOING;
    }
  }

  /** Whether brokers let it commit. */
  boolean commits() {
    try (producer) {
      producer.commitTransaction();
      return true;
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      return false;
    }
  }
}
