package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.io.IOException;

/** Adds up intervals of any series, each layout apart. Made to be reused; one thread at a time. */
public final class IntervalSum {
  private final LayoutSums counts = new LayoutSums();
  private final PackedInterval unpacked = new PackedInterval();
  private HistoryRange range = HistoryRange.EMPTY;

  /** Forgets everything and keeps the memory. */
  public void clear() {
    counts.clear();
    range = HistoryRange.EMPTY;
  }

  /**
   * Adds an interval. O(its non-zero buckets).
   *
   * @throws IOException when it cannot be read any more; nothing is added
   * @throws ArithmeticException when the count of a layout would pass {@link Long#MAX_VALUE}
   */
  public void add(PastInterval interval) throws IOException {
    interval.addTo(this);
    cover(interval);
  }

  /** The same of one in memory, which can always be read. */
  public void add(KeptInterval interval) {
    interval.addTo(this);
    cover(interval);
  }

  private void cover(PastInterval interval) {
    range = range.and(HistoryRange.of(interval.startMillis(), interval.endMillis()));
  }

  void addPacked(BucketLayout layout, byte[] packed) {
    unpacked.unpack(packed);
    unpacked.addTo(counts.of(layout));
  }

  /**
   * Adds what was counted, without its time: for {@link PastInterval}s, of whatever source.
   *
   * @throws ArithmeticException when the count of a layout would pass {@link Long#MAX_VALUE}
   */
  public void add(BucketLayout layout, IntervalCounts counted) {
    if (counted.counts().total() > 0) {
      counts.of(layout).add(counted.counts(), counted.figures());
    }
  }

  /** What the intervals have counted. */
  public LayoutSums counts() {
    return counts;
  }

  /** Which time the intervals cover. */
  public HistoryRange range() {
    return range;
  }
}
