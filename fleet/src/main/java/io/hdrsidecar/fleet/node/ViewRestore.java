package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Fills the view with what the stores of a partition have, when it comes to this node. */
final class ViewRestore {
  private static final int AT_ONCE = 256;

  private final FleetView view;
  private final int partition;
  private List<RestoredSeries> some = new ArrayList<>();
  private long series;
  private long newestMillis;

  ViewRestore(FleetView view, int partition) {
    this.view = view;
    this.partition = partition;
  }

  /**
   * Reads all totals.
   *
   * @param windowMillis how far back the steps of each are read, too
   */
  void run(Totals totals, Descriptions descriptions, long windowMillis) {
    long from =
        windowMillis == 0 ? Long.MAX_VALUE : Math.max(0, System.currentTimeMillis() - windowMillis);
    try (KeyValueIterator<Bytes, byte[]> all = totals.store().all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        byte[] key = next.key.get();
        Totals.Restored restored = totals.restore(key, next.value, from);
        series++;
        newestMillis = Math.max(newestMillis, restored.total().lastSeenMillis());
        some.add(
            new RestoredSeries(
                FleetSeries.ofStore(key),
                descriptions.of(next.key),
                restored.total(),
                restored.steps()));
        if (some.size() == AT_ONCE) {
          show();
        }
      }
    }
    show();
  }

  private void show() {
    view.restore(partition, some);
    some = new ArrayList<>();
  }

  /** How many there were. */
  long series() {
    return series;
  }

  /** When the last interval of any of them came. */
  long newestMillis() {
    return newestMillis;
  }
}
