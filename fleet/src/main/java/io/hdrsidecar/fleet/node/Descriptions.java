package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.MalformedRecordException;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What is said about the series of one partition. It may come before the first interval; it goes
 * when there are no counts of the series, as it has ended or never began.
 *
 * <p>The value in the store is that of the topic, and behind it when it came, in milliseconds since
 * the epoch, int64, big endian. One thread.
 */
final class Descriptions {
  private static final BucketLayout ANY_LAYOUT = BucketLayout.of(1, 0);
  private static final SeriesDescription NONE = new SeriesDescription("", 0);

  private final KeyValueStore<Bytes, byte[]> store;
  private @Nullable Bytes lookedAt;

  Descriptions(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /**
   * Takes what the topic says; null takes back what was said before.
   *
   * @throws MalformedRecordException when it cannot be used
   */
  void take(byte[] key, byte @Nullable [] value, long cameMillis) throws MalformedRecordException {
    FleetSeries of = FleetSeries.read(key);
    if (value == null) {
      store.delete(Bytes.wrap(key));
      return;
    }
    SeriesDescription said = SeriesDescription.read(value);
    try {
      new SeriesDefinition(
          of.key(), of.unit(), said.help(), ANY_LAYOUT, said.highestTrackableValue());
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException("description cannot be used: " + e.getMessage());
    }
    byte[] plain = said.bytes();
    store.put(
        Bytes.wrap(key),
        ByteBuffer.allocate(plain.length + Long.BYTES).put(plain).putLong(cameMillis).array());
  }

  /** What was said last; without that, an empty one. */
  SeriesDescription of(Bytes key) {
    byte[] value = store.get(key);
    try {
      return value == null ? NONE : SeriesDescription.read(value);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a store has a damaged description: " + e.getMessage(), e);
    }
  }

  /**
   * In the commit: looks at some more, and forgets those that came before then and have no counts.
   */
  void forget(int some, long beforeMillis, KeyValueStore<Bytes, byte[]> totals) {
    List<Bytes> old = new ArrayList<>();
    int looked = 0;
    try (KeyValueIterator<Bytes, byte[]> all = store.range(lookedAt, null)) {
      lookedAt = null;
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        if (looked++ == some) {
          lookedAt = next.key;
          break;
        }
        if (cameMillis(next.value) < beforeMillis && totals.get(next.key) == null) {
          old.add(next.key);
        }
      }
    }
    old.forEach(store::delete);
  }

  private static long cameMillis(byte[] value) {
    return ByteBuffer.wrap(value).getLong(value.length - Long.BYTES);
  }
}
