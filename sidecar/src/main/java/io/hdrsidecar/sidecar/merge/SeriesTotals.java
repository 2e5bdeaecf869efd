package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of what a series counted since start, apart for each layout, and of the last record of the
 * journal that is in it: what a checkpoint is made of. Made to be reused; one thread at a time.
 */
public final class SeriesTotals implements SeriesCopy {
  /** The counts in one layout. Valid until the next copy. */
  public static final class LayoutTotal {
    private final SparseCounts counts = new SparseCounts();
    private final SumMinMax sumMinMax = new SumMinMax();
    private BucketLayout layout = BucketLayout.of(1, 0);
    private long highestTrackableValue;

    private void set(Accumulation total, long highest) {
      counts.clear();
      total.counts().appendTo(counts);
      layout = total.counts().layout();
      sumMinMax.set(total.sumMinMax());
      highestTrackableValue = highest;
    }

    /** The layout of the counts. */
    public BucketLayout layout() {
      return layout;
    }

    /** The non-zero buckets. */
    public SparseCounts counts() {
      return counts;
    }

    /** Sum, minimum and maximum of the values. */
    public SumMinMax sumMinMax() {
      return sumMinMax;
    }

    /** The highest trackable value of those who registered in this layout. */
    public long highestTrackableValue() {
      return highestTrackableValue;
    }
  }

  private final List<LayoutTotal> parts = new ArrayList<>();
  private int size;
  private long lastRecord;
  private long intervals;

  @Override
  public void take(SeriesPart[] ofSeries, long record, long mergedIntervals) {
    size = 0;
    for (SeriesPart part : ofSeries) {
      part.copyTotalTo(this);
    }
    lastRecord = record;
    intervals = mergedIntervals;
  }

  void add(Accumulation total, long highestTrackableValue) {
    if (size == parts.size()) {
      parts.add(new LayoutTotal());
    }
    parts.get(size++).set(total, highestTrackableValue);
  }

  @Override
  public SeriesCopy another() {
    return new SeriesTotals();
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    SeriesTotals other = (SeriesTotals) filled;
    parts.clear();
    parts.addAll(other.parts);
    size = other.size;
    lastRecord = other.lastRecord;
    intervals = other.intervals;
  }

  /** One part for each layout; some may be without counts. */
  public List<LayoutTotal> parts() {
    return parts.subList(0, size);
  }

  /** The last record of the journal that is in the counts; 0 for none. */
  public long lastRecord() {
    return lastRecord;
  }

  /** How many intervals are in the counts. */
  public long intervals() {
    return intervals;
  }
}
