package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.MalformedRecordException;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
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

  /** Of an entry of a map, with two arrays. */
  private static final long ENTRY_BYTES = 120;

  private static final int MOST_SHARED = 1000;

  private static final SeriesDescription NONE = new SeriesDescription("", 0);

  private final KeyValueStore<Bytes, byte[]> store;
  private final Map<Bytes, byte @Nullable []> taken = new HashMap<>();
  private final Map<SeriesDescription, SeriesDescription> shared = new HashMap<>();
  private final StoreWalk walk;

  Descriptions(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    this.walk = new StoreWalk(store, null);
  }

  /**
   * Takes what the topic says, for the next commit: written at once, it would begin a transaction
   * that is open until then. Null takes back what was said before.
   *
   * @return how many bytes that takes until then
   * @throws MalformedRecordException when it cannot be used
   */
  long take(byte[] key, byte @Nullable [] value, long cameMillis) throws MalformedRecordException {
    FleetSeries of = FleetSeries.read(key);
    if (value == null) {
      taken.put(Bytes.wrap(key), null);
      return ENTRY_BYTES + key.length;
    }
    SeriesDescription said = SeriesDescription.read(value);
    try {
      new SeriesDefinition(
          of.key(), of.unit(), said.help(), ANY_LAYOUT, said.highestTrackableValue());
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException("description cannot be used: " + e.getMessage());
    }
    byte[] plain = said.bytes();
    taken.put(
        Bytes.wrap(key),
        ByteBuffer.allocate(plain.length + Long.BYTES).put(plain).putLong(cameMillis).array());
    return ENTRY_BYTES + key.length + plain.length;
  }

  /** Whether the store has all of it. */
  boolean isWritten() {
    return taken.isEmpty();
  }

  /** In the commit: to the store. */
  void write() {
    taken.forEach(store::put);
    taken.clear();
  }

  /** What was said last; without that, an empty one. */
  SeriesDescription of(Bytes key) {
    byte[] value = taken.containsKey(key) ? taken.get(key) : store.get(key);
    try {
      return value == null ? NONE : SeriesDescription.read(value);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a store has a damaged description: " + e.getMessage(), e);
    }
  }

  /**
   * The same for all series of which the same is said, so that it can be remembered for each.
   *
   * @return null when there are too many different ones for that
   */
  @Nullable SeriesDescription shared(SeriesDescription said) {
    SeriesDescription known = shared.get(said);
    if (known == null && shared.size() < MOST_SHARED) {
      shared.put(said, said);
      return said;
    }
    return known;
  }

  /**
   * In the commit: looks at some more, and forgets those that came before then and have no counts.
   */
  void forget(Upkeep upkeep, long beforeMillis, KeyValueStore<Bytes, byte[]> totals) {
    List<Bytes> old = new ArrayList<>();
    walk.goOn(
        upkeep,
        next -> {
          if (cameMillis(next.value) < beforeMillis && totals.get(next.key) == null) {
            old.add(next.key);
          }
        });
    old.forEach(store::delete);
  }

  private static long cameMillis(byte[] value) {
    return ByteBuffer.wrap(value).getLong(value.length - Long.BYTES);
  }
}
