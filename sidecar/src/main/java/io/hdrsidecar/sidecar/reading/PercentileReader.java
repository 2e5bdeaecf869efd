package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.util.ArrayList;
import java.util.List;

/**
 * Count, maximum and some percentiles of one series, without a list of its buckets: it takes no
 * memory, however many buckets there are.
 *
 * <p>Counts of one layout, which is what a series has as a rule, are only added up until a rank is
 * reached. Of several, the value of a rank is looked for between all values: the lowest one at or
 * below which the buckets of all layouts together have counted as many. Percentiles are those of
 * {@link Distribution#valueAtPercentile}, within {@link Distribution#withinExtremes the extremes}.
 *
 * <p>Made to be reused; one thread at a time.
 */
public final class PercentileReader implements CountsReader {
  private static final long[] FIRST = {1};

  private final double[] percentiles;
  private final long[] ranks;
  private final int[] indexes;
  private final long[] values;
  private final List<PagedCounts> layouts = new ArrayList<>();
  private final int[] ends = {0, Integer.MAX_VALUE};
  private final long[] belowAndAbove = new long[2];
  private final int[] first = new int[1];
  private long count;
  private long min;
  private long max;

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

  @Override
  public void clear() {
    layouts.clear();
    count = 0;
    min = Long.MAX_VALUE;
    max = 0;
  }

  @Override
  public void add(PagedCounts counts, SumMinMax sumMinMax) {
    if (counts.total() != 0) {
      layouts.add(counts);
      count = BucketRun.saturatedSum(count, counts.total());
      min = Math.min(min, sumMinMax.min());
      max = Math.max(max, sumMinMax.max());
    }
  }

  @Override
  public void done() {
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = Distribution.rank(percentiles[i], count);
    }
    if (layouts.size() == 1) {
      readOne(layouts.get(0));
    } else if (layouts.size() > 1) {
      readSeveral();
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.min(Math.max(values[i], min), max);
    }
    layouts.clear(); // Others may end and be freed.
  }

  private void readOne(PagedCounts counts) {
    counts.indexesAtRanks(ranks, indexes);
    BucketLayout layout = counts.layout();
    for (int i = 0; i < values.length; i++) {
      values[i] =
          percentiles[i] <= 0
              ? layout.lowestValueAt(indexes[i])
              : layout.highestValueAt(indexes[i]);
    }
  }

  private void readSeveral() {
    long highest = 0;
    for (PagedCounts counts : layouts) {
      BucketLayout layout = counts.layout();
      highest = Math.max(highest, layout.highestValueAt(layout.indexOf(max)));
    }
    long from = 0;
    for (int i = 0; i < values.length; i++) {
      if (percentiles[i] <= 0) {
        values[i] = lowestOfFirst();
      } else {
        from = lowestWith(ranks[i], from, highest);
        values[i] = from;
      }
    }
  }

  /** Of the bucket that ends first, and of several that do, begins first. */
  private long lowestOfFirst() {
    long lowest = Long.MAX_VALUE;
    long highest = Long.MAX_VALUE;
    for (PagedCounts counts : layouts) {
      counts.indexesAtRanks(FIRST, first);
      long high = counts.layout().highestValueAt(first[0]);
      long low = counts.layout().lowestValueAt(first[0]);
      if (high < highest || (high == highest && low < lowest)) {
        highest = high;
        lowest = low;
      }
    }
    return lowest;
  }

  private long lowestWith(long rank, long from, long to) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (countUpTo(middle) >= rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** What whole buckets have counted that do not reach above a value. */
  private long countUpTo(long value) {
    long upTo = 0;
    for (PagedCounts counts : layouts) {
      BucketLayout layout = counts.layout();
      int index = layout.indexOf(value);
      ends[0] = layout.highestValueAt(index) > value ? index : index + 1;
      belowAndAbove[0] = 0;
      counts.addRangesTo(ends, belowAndAbove);
      upTo = BucketRun.saturatedSum(upTo, belowAndAbove[0]);
    }
    return upTo;
  }

  @Override
  public CountsReader another() {
    return new PercentileReader(percentiles);
  }

  @Override
  public void takeOver(CountsReader filled) {
    PercentileReader other = (PercentileReader) filled;
    count = other.count;
    min = other.min;
    max = other.max;
    System.arraycopy(other.values, 0, values, 0, values.length);
  }

  /** Number of values; {@link Long#MAX_VALUE} if several layouts together would pass it. */
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
