package io.hdrsidecar.fleet.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Tells the partitions of a thread when the transaction is committed that has what they wrote, and
 * whether they have read all there is. Kafka Streams has no such calls of its own, but each of its
 * threads commits by one producer and reads by one consumer, which are made here.
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

  /** The part of a transaction's time for work; the rest is for brokers to take what it wrote. */
  private static final int WORK_SHARE = 2;

  /**
   * The part for upkeep, of all partitions of a thread, so that slow stores do not make commits
   * fail. What else there is of work is for the sums, which cannot wait.
   */
  private static final int UPKEEP_SHARE = 6;

  private final LongSupplier nanoTime;
  private final Duration limit;
  private final Map<Thread, OfThread> threads = new ConcurrentHashMap<>();
  private final TopicEnds ends = new TopicEnds();
  private final Set<String> transactionalIds = ConcurrentHashMap.newKeySet();

  /** What belongs to one thread, which alone uses it. */
  private static final class OfThread {
    private final List<Partition> partitions = new ArrayList<>();
    private final CommitTime time;

    OfThread(CommitTime time) {
      this.time = time;
    }
  }

  CommitListener() {
    this(System::nanoTime, StreamsProperties.TRANSACTION);
  }

  /**
   * On another clock, so that tests can turn it by hand.
   *
   * @param nanoTime monotonic
   * @param limit how long brokers wait for a transaction
   */
  CommitListener(LongSupplier nanoTime, Duration limit) {
    this.nanoTime = nanoTime;
    this.limit = limit;
  }

  /** Which partitions the consumers that are made here have read to their ends. */
  TopicEnds ends() {
    return ends;
  }

  /** Those of the producers that are made here, which are there before their threads start. */
  Set<String> transactionalIds() {
    return Set.copyOf(transactionalIds);
  }

  /** From now on the partition is told, of commits of this thread. */
  void add(Partition partition) {
    ofThisThread().partitions.add(partition);
  }

  /** It is not any more. Of the same thread. */
  void remove(Partition partition) {
    ofThisThread().partitions.remove(partition);
  }

  /**
   * For one kind of upkeep of one partition of this thread, in a commit.
   *
   * @param looks most that it may look at
   * @param kinds how many kinds there are
   */
  Upkeep upkeep(long looks, int kinds) {
    int partitions = Math.max(1, ofThisThread().partitions.size());
    return new Upkeep(looks, nanoTime, limit.toNanos() / UPKEEP_SHARE / partitions / kinds);
  }

  /**
   * In the commit: does what a partition of this thread writes.
   *
   * @throws IllegalStateException when that took too long again and again
   */
  void write(Runnable work) {
    ofThisThread().time.works(work);
  }

  /** A transaction of this thread is committed. */
  void committed() {
    ofThisThread().time.committed();
    ofThisThread().partitions.forEach(Partition::committed);
  }

  private OfThread ofThisThread() {
    return threads.computeIfAbsent(
        Thread.currentThread(),
        thread -> new OfThread(new CommitTime(nanoTime, limit.dividedBy(WORK_SHARE))));
  }

  /** A partition that fails may be left out of a commit of the others. */
  private void requireWritten(Set<TopicPartition> positions) {
    for (Partition partition : ofThisThread().partitions) {
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
    if (config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) instanceof String id) {
      transactionalIds.add(id);
    }
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

      @Override
      public void abortTransaction() {
        ofThisThread().time.failed();
        super.abortTransaction();
      }

      @Override
      public void close(Duration patience) {
        ofThisThread().time.failed(); // Not aborted before, where brokers have refused it.
        super.close(patience);
      }
    };
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
      @Override
      public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ends.reads(this); // Made by another thread than the one that polls.
        return super.poll(timeout);
      }
    };
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }
}
