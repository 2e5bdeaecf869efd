package io.hdrsidecar.fleet.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Finds the series of one partition that have had no interval for long. One thread. */
final class IdleSeries {
  private final KeyValueStore<Bytes, byte[]> totals;
  private @Nullable Bytes lookedAt;

  IdleSeries(KeyValueStore<Bytes, byte[]> totals) {
    this.totals = totals;
  }

  /** In the commit: looks at some more, and gives those that had none since then. */
  List<Bytes> find(Upkeep upkeep, long beforeMillis) {
    List<Bytes> idle = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = totals.range(lookedAt, null)) {
      lookedAt = null;
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        if (!upkeep.next()) {
          lookedAt = next.key;
          break;
        }
        if (SumBytes.lastSeenMillis(next.value) < beforeMillis) {
          idle.add(next.key);
        }
      }
    }
    return idle;
  }
}
