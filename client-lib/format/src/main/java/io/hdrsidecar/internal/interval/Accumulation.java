package io.hdrsidecar.internal.interval;

import org.jspecify.annotations.Nullable;

/**
 * Counts of one layout with the exact figures HdrHistogram's encoding does not carry: sum, minimum
 * and maximum of the recorded values; and with the slowest value that came with a trace.
 *
 * <p>The client adds harvests of a series to one while it waits to be sent; the sidecar adds
 * intervals to one per series and layout. One writer at a time.
 */
public final class Accumulation {
  private final PagedCounts counts;
  private final SumMinMax sumMinMax = new SumMinMax();
  private @Nullable Exemplar exemplar;

  /** Nothing counted yet. */
  public Accumulation(BucketLayout layout) {
    this.counts = new PagedCounts(layout);
  }

  /** The buckets. */
  public PagedCounts counts() {
    return counts;
  }

  /** Number of values. */
  public long count() {
    return counts.total();
  }

  /** Sum, minimum and maximum. */
  public SumMinMax sumMinMax() {
    return sumMinMax;
  }

  /** Sum of the values, in their own unit. */
  public ExactSum sum() {
    return sumMinMax.sum();
  }

  /** Smallest value, or {@link Long#MAX_VALUE} while the count is 0. */
  public long min() {
    return sumMinMax.min();
  }

  /** Largest value, or 0 while the count is 0. */
  public long max() {
    return sumMinMax.max();
  }

  /** The largest value that was recorded with a trace, if there is one. */
  public @Nullable Exemplar exemplar() {
    return exemplar;
  }

  /** Keeps this exemplar, unless the one at hand has a larger value. */
  public void offer(@Nullable Exemplar other) {
    Exemplar mine = exemplar;
    if (other != null && (mine == null || other.value() >= mine.value())) {
      exemplar = other;
    }
  }

  /** Whether nothing was counted. */
  public boolean isEmpty() {
    return counts.total() == 0;
  }

  /**
   * Adds an interval of equal layout.
   *
   * @throws ArithmeticException when the total count would pass {@link Long#MAX_VALUE}; nothing is
   *     added
   */
  public void add(SparseCounts added, SumMinMax ofAdded) {
    counts.add(added);
    sumMinMax.add(ofAdded);
  }

  /** The same of counters. */
  public void add(PagedCounts added, SumMinMax ofAdded) {
    counts.add(added);
    sumMinMax.add(ofAdded);
  }

  /**
   * Adds another accumulation of equal layout.
   *
   * @throws IllegalArgumentException when the layouts differ; nothing is added
   * @throws ArithmeticException when the total count would pass {@link Long#MAX_VALUE}; nothing is
   *     added
   */
  public void add(Accumulation other) {
    add(other.counts, other.sumMinMax);
    offer(other.exemplar);
  }

  /** Lowers the minimum and raises the maximum where needed. */
  public void widen(long otherMin, long otherMax) {
    sumMinMax.widen(otherMin, otherMax);
  }

  /** Back to nothing counted; the pages are kept. */
  public void clear() {
    counts.clear();
    sumMinMax.clear();
    exemplar = null;
  }
}
