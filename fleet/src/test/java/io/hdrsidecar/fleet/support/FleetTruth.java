package io.hdrsidecar.fleet.support;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.InstanceHeader;
import io.hdrsidecar.internal.wire.InstanceId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What is on a topic of intervals, by the rule that nodes apply: of each instance and partition,
 * what is above the last number seen there. Counted by HdrHistogram.
 */
public final class FleetTruth {
  private static final int PAYLOAD_LENGTH = 68;
  private static final int PAYLOAD = 72;

  private record Source(InstanceId instance, int partition) {}

  private final Map<FleetSeries, Histogram> counts = new HashMap<>();
  private final Map<Source, Long> last = new HashMap<>();
  private long records;
  private long skipped;

  /** Reads all that is there now. */
  public static FleetTruth read(KafkaBroker broker, String topic, int partitions) throws Exception {
    FleetTruth truth = new FleetTruth();
    Properties properties = broker.properties();
    properties.put("isolation.level", "read_committed");
    List<TopicPartition> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      all.add(new TopicPartition(topic, i));
    }
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          truth.take(record);
        }
      }
    }
    return truth;
  }

  private void take(ConsumerRecord<byte[], byte[]> record) throws Exception {
    records++;
    ByteBuffer body = ByteBuffer.wrap(record.value());
    long sequence = body.getLong(0);
    Source source = new Source(InstanceHeader.read(record.headers()), record.partition());
    if (sequence <= last.getOrDefault(source, 0L)) {
      skipped++;
      return;
    }
    last.put(source, sequence);
    // Of a slice HdrHistogram would read from the beginning of its array.
    byte[] bytes = new byte[body.getInt(PAYLOAD_LENGTH)];
    body.get(PAYLOAD, bytes);
    ByteBuffer payload = ByteBuffer.wrap(bytes);
    boolean isRaw = payload.getInt(0) == 0x1c849313;
    Histogram histogram =
        isRaw
            ? Histogram.decodeFromByteBuffer(payload, 0)
            : Histogram.decodeFromCompressedByteBuffer(payload, 0);
    Histogram sum =
        counts.computeIfAbsent(FleetSeries.read(record.key()), none -> empty(histogram));
    sum.add(histogram);
  }

  /** One of the same buckets, for any values. */
  private static Histogram empty(Histogram like) {
    Histogram histogram =
        new Histogram(
            like.getLowestDiscernibleValue(),
            Math.max(2 * like.getLowestDiscernibleValue(), like.getHighestTrackableValue()),
            like.getNumberOfSignificantValueDigits());
    histogram.setAutoResize(true);
    return histogram;
  }

  /** What counts, by series. */
  public Map<FleetSeries, Histogram> counts() {
    return counts;
  }

  /** All series of a name together. */
  public Histogram named(String name) {
    List<Histogram> found =
        counts.entrySet().stream()
            .filter(e -> e.getKey().key().name().equals(name))
            .map(Map.Entry::getValue)
            .toList();
    Histogram sum = empty(found.get(0));
    found.forEach(sum::add);
    return sum;
  }

  /** A histogram of the same buckets with these values and nothing else. */
  public Histogram of(String name, long[] values) {
    Histogram histogram = empty(named(name));
    for (long value : values) {
      histogram.recordValue(value);
    }
    return histogram;
  }

  /** Records on the topic. */
  public long records() {
    return records;
  }

  /** Those of them that were there before, by number. */
  public long skipped() {
    return skipped;
  }
}
