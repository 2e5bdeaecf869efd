package io.hdrsidecar.fleet.gateway;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** How records are produced. What exactly-once rests on is not for a file to change. */
final class ProducerSettings {
  private static final int LEAST_BATCH_BYTES = 16 << 10;
  private static final int MOST_BATCH_BYTES = 128 << 10;

  /**
   * Nodes show what is merged every 10 s, so it is hardly felt there; each request costs a broker
   * as much as some hundred intervals.
   */
  private static final int LINGER_MILLIS = 500;

  /**
   * Nodes remember an instance for a day after its last record. This passes twice at most, as
   * waiting to know the brokers comes before, so it is half of what nodes remember.
   */
  private static final int DELIVERY_MILLIS = 6 * 60 * 60 * 1000;

  private ProducerSettings() {}

  /**
   * All settings of the producer.
   *
   * @param fromFile those of the operator, such as TLS and SASL
   * @param longestRecordBytes the longest record there may be
   * @param bufferBytes what records may take in the producer
   * @param partitions of the topic; each has a batch of its own
   */
  static Map<String, Object> of(
      Map<String, Object> fromFile, int longestRecordBytes, long bufferBytes, int partitions) {
    long batch = bufferBytes / 2 / partitions;
    Map<String, Object> all = new HashMap<>();
    all.put(ProducerConfig.CLIENT_ID_CONFIG, "hdr-sidecar-gateway");
    all.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    all.put(
        ProducerConfig.BATCH_SIZE_CONFIG,
        (int) Math.max(LEAST_BATCH_BYTES, Math.min(MOST_BATCH_BYTES, batch)));
    all.putAll(fromFile);
    all.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    all.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    all.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    // Brokers that are away are waited for, but not until nodes have forgotten the numbers.
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
    // Nothing is sent to a broker before it is known what became of the last request.
    all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) DELIVERY_MILLIS);
    all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.max(1 << 20, longestRecordBytes));
    all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(bufferBytes, 2L * longestRecordBytes));
    all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return all;
  }
}
