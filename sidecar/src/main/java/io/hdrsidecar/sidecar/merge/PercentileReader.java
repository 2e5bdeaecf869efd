package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.interval.BucketLayout;
import io.hdrsidecar.interval.ExactSum;
import io.hdrsidecar.interval.PagedCounts;

/**
 * Count, maximum and some percentiles of one series, without a list of its buckets.
 *
 * <p>Counts of one layout, which is what a series has as a rule, are only added up until a rank is
 * reached; those of several are joined first, and then all figures are of the join. Percentiles are
 * those of {@link Distribution#valueAtPercentile}, within {@link Distribution#withinExtremes the
 * extremes}.
 *
 * <p>Made to be reused; one thread at a time.
 */
public final class PercentileReader implements CountsReader {
  private final double[] percentiles;
  private final long[] ranks;
  private final int[] indexes;
  private final long[] values;
  private final Distribution joined = new Distribution();
  private long count;
  private long max;
  private boolean severalLayouts;

  /**
   * A reader that has read nothing.
   *
   * @param percentiles 0 to 100, in ascending order
   */
  public PercentileReader(double... percentiles) {
    this.percentiles = percentiles.clone();
    ranks = new long[percentiles.length];
    indexes = new int[percentiles.length];
    values = new long[percentiles.length];
  }

  /**
   * Reads what a series has counted since start.
   *
   * @return false when that is nothing
   */
  public boolean readTotal(Series series) {
    series.readTotal(this);
    if (severalLayouts) {
      series.readTotal(joined);
      readFrom(joined);
    }
    return count > 0;
  }

  /**
   * Reads a window.
   *
   * @param window place in {@link SeriesStore#windows}
   * @return false when it is empty
   */
  public boolean readWindow(Series series, int window) {
    series.readWindow(window, this);
    if (severalLayouts) {
      series.readWindow(window, joined);
      readFrom(joined);
    }
    return count > 0;
  }

  private void readFrom(Distribution distribution) {
    count = distribution.count();
    max = distribution.max();
    distribution.valuesAtPercentiles(percentiles, values);
    for (int i = 0; i < values.length; i++) {
      values[i] = distribution.withinExtremes(values[i]);
    }
  }

  @Override
  public void clear() {
    count = 0;
    max = 0;
    severalLayouts = false;
  }

  @Override
  public void add(
      PagedCounts counts, ExactSum sum, boolean sumIsExact, long addedMin, long addedMax) {
    if (counts.total() == 0) {
      return;
    }
    severalLayouts = count > 0;
    count = counts.total();
    max = addedMax;
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = Distribution.rank(percentiles[i], count);
    }
    counts.indexesAtRanks(ranks, indexes);
    BucketLayout layout = counts.layout();
    for (int i = 0; i < values.length; i++) {
      long value =
          percentiles[i] <= 0
              ? layout.lowestValueAt(indexes[i])
              : layout.highestValueAt(indexes[i]);
      values[i] = Math.min(Math.max(value, addedMin), addedMax);
    }
  }

  @Override
  public CountsReader another() {
    return new PercentileReader(percentiles);
  }

  @Override
  public void takeOver(CountsReader filled) {
    PercentileReader other = (PercentileReader) filled;
    count = other.count;
    max = other.max;
    severalLayouts = other.severalLayouts;
    System.arraycopy(other.values, 0, values, 0, values.length);
  }

  /** Number of values. */
  public long count() {
    return count;
  }

  /** Largest value, or 0 while the count is 0. */
  public long max() {
    return max;
  }

  /** The value at the i-th percentile; meaningless while the count is 0. */
  public long valueAt(int i) {
    return values[i];
  }
}
