package io.hdrsidecar.fleet.node;

import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Up to where the intervals of a partition have been merged, in the store of the numbers and so in
 * their transaction.
 *
 * <p>Kafka knows that, too, but forgets it when there was no node for a week ({@code
 * offsets.retention.minutes}), and then gives out the topic from its beginning. Numbers do not help
 * by then, as those of an instance that has gone are forgotten after a day.
 *
 * <p>A topic that was made anew has another id, and its records are other ones. Layout of the
 * value, big endian: id of the topic, 16 bytes; offset of the next record, int64. One thread.
 */
final class ReadPosition {
  /** Shorter than any key of an instance. */
  private static final Bytes KEY = Bytes.wrap(new byte[1]);

  private static final int BYTES = 3 * Long.BYTES;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Uuid topic;
  private long next = -1;
  private boolean hasChanged;

  ReadPosition(KeyValueStore<Bytes, byte[]> store, Uuid topic) {
    this.store = store;
    this.topic = topic;
  }

  /** Offset of the first record that has not been merged. */
  long next() {
    if (next < 0) {
      next = stored();
    }
    return next;
  }

  private long stored() {
    byte[] value = store.get(KEY);
    if (value == null) {
      return 0;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    Uuid of = new Uuid(in.getLong(), in.getLong());
    return of.equals(topic) ? in.getLong() : 0;
  }

  /** A record has been read, whatever became of it. */
  void read(long offset) {
    next = offset + 1;
    hasChanged = true;
  }

  /** In the commit: to the store. */
  void write() {
    if (hasChanged) {
      store.put(
          KEY,
          ByteBuffer.allocate(BYTES)
              .putLong(topic.getMostSignificantBits())
              .putLong(topic.getLeastSignificantBits())
              .putLong(next)
              .array());
      hasChanged = false;
    }
  }
}
