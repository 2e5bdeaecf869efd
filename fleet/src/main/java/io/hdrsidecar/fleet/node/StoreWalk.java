package io.hdrsidecar.fleet.node;

import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Looks at all entries of a store again and again, at some in each commit. One thread. */
final class StoreWalk {
  private final KeyValueStore<Bytes, byte[]> store;
  private final @Nullable Bytes first;
  private @Nullable Bytes next;

  /**
   * Has looked at nothing.
   *
   * @param first the key to begin at; null for the first one
   */
  StoreWalk(KeyValueStore<Bytes, byte[]> store, @Nullable Bytes first) {
    this.store = store;
    this.first = first;
    this.next = first;
  }

  /** In the commit: looks at some more; after the last it begins anew the next time. */
  void goOn(Upkeep upkeep, Consumer<KeyValue<Bytes, byte[]>> look) {
    try (KeyValueIterator<Bytes, byte[]> all = store.range(next, null)) {
      next = first;
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> entry = all.next();
        if (!upkeep.next()) {
          next = entry.key;
          break;
        }
        look.accept(entry);
      }
    }
  }
}
