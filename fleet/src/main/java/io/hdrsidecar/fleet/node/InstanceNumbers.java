package io.hdrsidecar.fleet.node;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.memory.HeapShare;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The last number of each instance in one partition: what is not above it has been merged here.
 *
 * <p>An instance numbers its intervals over all of its series, which lie in several partitions, so
 * here numbers have gaps. A client sends them in ascending order, and sends again all that are not
 * settled, the lowest first; a gateway produces them in that order. So the first time that they
 * pass here they ascend, and whatever is not above the last was here before. See
 * docs/decisions/0039-gateways-know-nothing.md.
 *
 * <p>Layout in the store, big endian: the instance's 16 bytes as key; number and time of the last
 * interval, in milliseconds since the epoch, as value. One thread.
 */
final class InstanceNumbers {
  /** The lowest key, behind that of {@link ReadPosition}. */
  private static final Bytes FIRST = key(new InstanceId(0, 0));

  /** Of an entry of a map, in bytes. */
  static final long ENTRY_BYTES = 160;

  private record Last(long number, long seenMillis) {}

  private final KeyValueStore<Bytes, byte[]> store;
  private final HeapShare share;
  private final Map<InstanceId, Last> cache = new LinkedHashMap<>(64, 0.75f, true);
  private final Map<InstanceId, Last> changed = new HashMap<>();
  private final StoreWalk walk;

  /**
   * Those in a store.
   *
   * @param share for those that need not be looked up
   */
  InstanceNumbers(KeyValueStore<Bytes, byte[]> store, HeapShare share) {
    this.store = store;
    this.walk = new StoreWalk(store, FIRST);
    this.share = share;
  }

  /** The last number of the instance here; 0 for none. */
  long last(InstanceId instance) {
    Last last = changed.get(instance);
    last = last == null ? cache.get(instance) : last;
    if (last == null) {
      last = read(instance);
      remember(instance, last);
    }
    return last.number;
  }

  /** In place of the one that was not asked for for longest, if there is no room. */
  private void remember(InstanceId instance, Last last) {
    if (!cache.containsKey(instance) && !share.tryTakeUncounted(ENTRY_BYTES)) {
      Iterator<InstanceId> eldest = cache.keySet().iterator();
      if (!eldest.hasNext()) {
        return;
      }
      eldest.next();
      eldest.remove();
    }
    cache.put(instance, last);
  }

  private Last read(InstanceId instance) {
    byte[] value = store.get(key(instance));
    if (value == null) {
      return new Last(0, 0);
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    return new Last(in.getLong(), in.getLong());
  }

  /** An interval was merged. */
  void settle(InstanceId instance, long number, long seenMillis) {
    changed.put(instance, new Last(number, seenMillis));
  }

  /** How many have changed since the last commit. */
  int changed() {
    return changed.size();
  }

  /** In the commit: to the store. */
  void write() {
    changed.forEach(
        (instance, last) -> {
          store.put(
              key(instance),
              ByteBuffer.allocate(2 * Long.BYTES)
                  .putLong(last.number)
                  .putLong(last.seenMillis)
                  .array());
          remember(instance, last);
        });
    changed.clear();
  }

  /** In the commit: looks at some more of them, and forgets those that were not seen since then. */
  void forget(Upkeep upkeep, long beforeMillis) {
    walk.goOn(
        upkeep,
        next -> {
          ByteBuffer in = ByteBuffer.wrap(next.value);
          long number = in.getLong();
          if (number > 0 && in.getLong() < beforeMillis) {
            store.delete(next.key);
            ByteBuffer key = ByteBuffer.wrap(next.key.get());
            if (cache.remove(new InstanceId(key.getLong(), key.getLong())) != null) {
              share.release(ENTRY_BYTES);
            }
          }
        });
  }

  /** Gives its memory back. */
  void close() {
    share.release(cache.size() * ENTRY_BYTES);
    cache.clear();
    changed.clear();
  }

  private static Bytes key(InstanceId instance) {
    return Bytes.wrap(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(instance.high())
            .putLong(instance.low())
            .array());
  }
}
