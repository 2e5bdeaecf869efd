package io.hdrsidecar.fleet.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Tells the partitions of a thread when the transaction is committed that has what they wrote.
 * Kafka Streams has no such call of its own, but each of its threads commits by one producer, which
 * is made here.
 */
final class CommitListener implements KafkaClientSupplier {
  /** One partition. Called by its thread. */
  interface Partition {
    /** Its number. */
    int number();

    /** Whether all that was merged has been written. */
    boolean isWritten();

    /** What was written is committed. */
    void committed();
  }

  private final Map<Thread, List<Partition>> partitions = new ConcurrentHashMap<>();

  /** From now on the partition is told, of commits of this thread. */
  void add(Partition partition) {
    partitions.computeIfAbsent(Thread.currentThread(), none -> new ArrayList<>()).add(partition);
  }

  /** It is not any more. Of the same thread. */
  void remove(Partition partition) {
    partitions.getOrDefault(Thread.currentThread(), new ArrayList<>()).remove(partition);
  }

  /** A transaction of this thread is committed. */
  void committed() {
    ofThisThread().forEach(Partition::committed);
  }

  private List<Partition> ofThisThread() {
    return partitions.getOrDefault(Thread.currentThread(), List.of());
  }

  /** A partition that fails may be left out of a commit of the others. */
  private void requireWritten(Set<TopicPartition> positions) {
    for (Partition partition : ofThisThread()) {
      boolean isPart = positions.stream().anyMatch(p -> p.partition() == partition.number());
      if (isPart && !partition.isWritten()) {
        throw new IllegalStateException(
            "positions would be committed without what was merged; does this version of Kafka"
                + " Streams call caches before a commit?");
      }
    }
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public void sendOffsetsToTransaction(
          Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        requireWritten(offsets.keySet());
        super.sendOffsetsToTransaction(offsets, group);
      }

      @Override
      public void commitTransaction() {
        super.commitTransaction();
        committed();
      }
    };
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return getConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getConsumer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }
}
