package io.hdrsidecar.fleet.node;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The time of one partition, which moves with the records that come, and how much of it counts as
 * idle time of its series.
 *
 * <p>When brokers or all gateways were away, the first record after that is hours later than the
 * last one before. Nothing could come meanwhile, so no series has ended: of such a pause only its
 * beginning counts, a small part of the time after which series end.
 *
 * <p>Pauses are in the store of the numbers, and so in their transaction, as long as they matter.
 * Layout of the value, big endian: start and end of each, the earliest first, int64 each, in
 * milliseconds since the epoch. One thread.
 */
final class TopicTime {
  /** Behind that of {@link ReadPosition}, and shorter than any key of an instance. */
  private static final Bytes KEY = Bytes.wrap(new byte[2]);

  /** Most pauses that can matter at a time, as each begins with so small a part that counts. */
  private static final int PARTS = 32;

  private static final long LEAST_COUNTED_MILLIS = 60_000;

  /** Idle time stands still from its start to its end. */
  private record IdlePause(long startMillis, long endMillis) {}

  private final KeyValueStore<Bytes, byte[]> store;
  private final long idleMillis;
  private final long countedMillis;
  private final Deque<IdlePause> pauses = new ArrayDeque<>(); // The latest first.
  private long nowMillis;
  private boolean hasChanged;

  /**
   * As a store has it.
   *
   * @param idleMillis after which time series end; 0 for never
   */
  TopicTime(KeyValueStore<Bytes, byte[]> store, long idleMillis) {
    this.store = store;
    this.idleMillis = idleMillis;
    this.countedMillis = Math.max(LEAST_COUNTED_MILLIS, idleMillis / PARTS);
    byte[] value = store.get(KEY);
    if (value != null) {
      ByteBuffer in = ByteBuffer.wrap(value);
      while (in.hasRemaining()) {
        pauses.addFirst(new IdlePause(in.getLong(), in.getLong()));
      }
    }
  }

  /** The latest time at which a record came; 0 before the first. */
  long nowMillis() {
    return nowMillis;
  }

  /** A record came then, or it is known that none has come until then. */
  void passes(long millis) {
    if (millis <= nowMillis) {
      return;
    }
    if (idleMillis > 0 && nowMillis > 0 && millis - nowMillis > countedMillis) {
      pauses.addFirst(new IdlePause(nowMillis + countedMillis, millis));
      hasChanged = true;
    }
    nowMillis = millis;
  }

  /** Series that had their last interval before then have ended. */
  long idleBefore() {
    long left = idleMillis;
    long at = nowMillis;
    for (IdlePause pause : pauses) {
      long counted = at - pause.endMillis;
      if (counted >= left) {
        break;
      }
      left -= counted;
      at = pause.startMillis;
    }
    return at - left;
  }

  /** In the commit: to the store, without pauses that matter no more. */
  void write() {
    long before = idleBefore();
    while (!pauses.isEmpty() && pauses.getLast().endMillis <= before) {
      pauses.removeLast();
      hasChanged = true;
    }
    if (hasChanged) {
      ByteBuffer out = ByteBuffer.allocate(pauses.size() * 2 * Long.BYTES);
      for (Iterator<IdlePause> all = pauses.descendingIterator(); all.hasNext(); ) {
        IdlePause pause = all.next();
        out.putLong(pause.startMillis).putLong(pause.endMillis);
      }
      store.put(KEY, pauses.isEmpty() ? null : out.array());
      hasChanged = false;
    }
  }
}
