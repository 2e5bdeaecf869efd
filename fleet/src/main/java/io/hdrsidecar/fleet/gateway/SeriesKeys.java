package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.receive.NotNowException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The series that ids of connections lead to, each once however many sidecars have it. Merge
 * context only.
 */
final class SeriesKeys {
  /** The object, its layout and its entry in the map. */
  private static final long ENTRY_BYTES = 384;

  private final HeapShare share;
  private final Map<FleetDestination, FleetDestination> known = new HashMap<>();
  private volatile int size;

  SeriesKeys(HeapShare share) {
    this.share = share;
  }

  /**
   * The series with this key, for one more id.
   *
   * @throws NotNowException when there is no memory for another one
   */
  FleetDestination hold(byte[] key, int partition, BucketLayout layout) throws NotNowException {
    FleetDestination wanted = new FleetDestination(this, key, partition, layout);
    FleetDestination found = known.get(wanted);
    if (found == null) {
      if (!share.tryTake(bytesOf(wanted))) {
        throw new NotNowException(
            RejectReason.MEMORY_LIMIT,
            "no memory for more series at this gateway; connect again, and declare fewer");
      }
      known.put(wanted, wanted);
      found = wanted;
      size = known.size();
    }
    found.hold();
    return found;
  }

  /** No id leads there any more. */
  void forget(FleetDestination unused) {
    known.remove(unused);
    size = known.size();
    share.release(bytesOf(unused));
  }

  private static long bytesOf(FleetDestination destination) {
    return ENTRY_BYTES + HeapShare.arrayCost(destination.key().length);
  }

  /** How many. */
  List<Metric> metrics() {
    return List.of(
        Metric.gauge("gateway.series", "Series that sidecars connected here have", () -> size));
  }
}
