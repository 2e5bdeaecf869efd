package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.util.Map;
import java.util.TreeMap;

/** What somebody reads who asks a view. */
final class ViewReading {
  private ViewReading() {}

  static Distribution total(SeriesStore store, FleetSeries series) {
    Distribution total = new Distribution();
    store.find(series.key()).ifPresent((Series found) -> found.readTotal(total));
    return total;
  }

  /** Count by the highest value of each bucket. */
  static Map<Long, Long> buckets(SeriesStore store, FleetSeries series) {
    return buckets(total(store, series));
  }

  static Map<Long, Long> buckets(Distribution total) {
    Map<Long, Long> buckets = new TreeMap<>();
    for (int i = 0; i < total.size(); i++) {
      buckets.put(total.highestAt(i), total.countAt(i));
    }
    return buckets;
  }
}
