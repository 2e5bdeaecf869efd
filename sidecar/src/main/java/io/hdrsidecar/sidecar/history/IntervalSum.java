package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.DenseCounts;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Adds up intervals of any series, each layout apart. Made to be reused; one thread at a time. */
public final class IntervalSum {
  private final LayoutSums counts = new LayoutSums();
  private final PackedInterval unpacked = new PackedInterval();
  private final @Nullable DenseCounts dense;

  /** What is in {@link #dense}, and not in {@link #counts} yet. */
  private final SumMinMax denseSumMinMax = new SumMinMax();

  private final SparseCounts moved = new SparseCounts();
  private @Nullable BucketLayout denseLayout;
  private HistoryRange range = HistoryRange.EMPTY;

  /** Of nothing. */
  public IntervalSum() {
    this(null);
  }

  private IntervalSum(@Nullable DenseCounts dense) {
    this.dense = dense;
  }

  /** One for thousands of intervals: it takes up to 260 KiB more, and less time for each. */
  public static IntervalSum ofMany() {
    return new IntervalSum(new DenseCounts());
  }

  /** Forgets everything and keeps the memory. */
  public void clear() {
    counts.clear();
    if (dense != null) {
      dense.clear();
      denseSumMinMax.clear();
    }
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
    add(layout, unpacked.counts(), unpacked.sumMinMax());
  }

  /**
   * Adds what was counted, without its time: for {@link PastInterval}s, of whatever source.
   *
   * @throws ArithmeticException when the count of a layout would pass {@link Long#MAX_VALUE}
   */
  public void add(BucketLayout layout, IntervalCounts counted) {
    if (counted.counts().total() > 0) {
      add(layout, counted.counts(), counted.sumMinMax());
    }
  }

  private void add(BucketLayout layout, SparseCounts added, SumMinMax sumMinMax) {
    DenseCounts quick = dense;
    if (quick == null || !quick.takes(added)) {
      counts.of(layout).add(added, sumMinMax);
      return;
    }
    if (denseLayout == null || !denseLayout.equals(layout)) {
      moveDense();
      denseLayout = layout;
    }
    quick.add(added);
    denseSumMinMax.add(sumMinMax);
  }

  private void moveDense() {
    BucketLayout layout = denseLayout;
    if (dense != null && layout != null && dense.total() > 0) {
      dense.moveTo(moved);
      counts.of(layout).add(moved, denseSumMinMax);
      denseSumMinMax.clear();
    }
  }

  /** What the intervals have counted; to be asked again when more are added. */
  public LayoutSums counts() {
    moveDense();
    return counts;
  }

  /** Memory of the counters, and of what intervals are unpacked to. */
  public long allocatedBytes() {
    return counts.allocatedBytes()
        + (dense == null ? 0 : dense.allocatedBytes())
        + unpacked.counts().allocatedBytes()
        + moved.allocatedBytes();
  }

  /** Which time the intervals cover. */
  public HistoryRange range() {
    return range;
  }
}
