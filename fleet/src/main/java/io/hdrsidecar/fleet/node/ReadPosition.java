package io.hdrsidecar.fleet.node;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Up to where the intervals of a partition have been merged, in the store of the numbers and so in
 * their transaction.
 *
 * <p>Kafka knows that, too, but forgets it when there was no node for a week ({@code
 * offsets.retention.minutes}), and then gives out the topic from its beginning. Numbers do not help
 * by then, as those of an instance that has gone are forgotten after a day.
 *
 * <p>Gateways produce without transactions, and the topic is not compacted, so its offsets have no
 * gaps. Where there is one, Kafka has deleted records that no node had read.
 *
 * <p>A topic that was made anew has another id, and its records are other ones. Layout of the
 * value, big endian: id of the topic, 16 bytes; offset of the next record, int64. One thread.
 */
final class ReadPosition {
  private static final Logger LOG = System.getLogger(ReadPosition.class.getName());

  /** Shorter than any key of an instance. */
  private static final Bytes KEY = Bytes.wrap(new byte[1]);

  private static final int BYTES = 3 * Long.BYTES;
  private static final long NOT_LOOKED = -1;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Uuid topic;
  private final NodeCounters counters;
  private long next = NOT_LOOKED;
  private boolean isKnown;
  private boolean hasChanged;
  private long missing;
  private boolean hasSaidAgain;
  private boolean hasSaidMissing;

  ReadPosition(KeyValueStore<Bytes, byte[]> store, Uuid topic, NodeCounters counters) {
    this.store = store;
    this.topic = topic;
    this.counters = counters;
  }

  /**
   * A record is read, whatever becomes of it.
   *
   * @return false when it was read before, and is not to be merged
   */
  boolean take(RecordMetadata at) {
    if (at.offset() < next()) {
      readAgain(at);
      return false;
    }
    if (isKnown && at.offset() > next) {
      miss(at);
    }
    next = at.offset() + 1;
    isKnown = true;
    hasChanged = true;
    return true;
  }

  /** The offset of the first record that was not read; 0 where nobody knows. */
  long next() {
    if (next == NOT_LOOKED) {
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
    isKnown = new Uuid(in.getLong(), in.getLong()).equals(topic);
    return isKnown ? in.getLong() : 0;
  }

  /** Kafka has forgotten how far the topic was read, or somebody has set it back. */
  private void readAgain(RecordMetadata at) {
    counters.duplicate();
    if (!hasSaidAgain) {
      hasSaidAgain = true;
      LOG.log(
          Level.WARNING,
          "event=reading_again topic={0} partition={1} offset={2} merged_before={3}; what was"
              + " merged is skipped",
          at.topic(),
          at.partition(),
          String.valueOf(at.offset()),
          String.valueOf(next));
    }
  }

  /** Records lived for less time than no node read them, or somebody has set the position. */
  private void miss(RecordMetadata at) {
    missing += at.offset() - next;
    if (!hasSaidMissing) {
      hasSaidMissing = true;
      LOG.log(
          Level.WARNING,
          "event=records_missing topic={0} partition={1} expected={2} found={3}; those between were"
              + " deleted before a node read them, and no total has their values: is retention.ms"
              + " of the topic longer than nodes may be away?",
          at.topic(),
          at.partition(),
          String.valueOf(next),
          String.valueOf(at.offset()));
    }
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

  /** What was written is committed, so what is missing will not be found missing again. */
  void committed() {
    counters.missing(missing);
    missing = 0;
  }
}
