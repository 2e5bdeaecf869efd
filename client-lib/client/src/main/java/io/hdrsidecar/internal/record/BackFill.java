package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;

/**
 * The values a stalled caller failed to record, in closed form.
 *
 * <p>A caller that meant to start every {@code interval} and was held for {@code value} would have
 * seen value - interval, value - 2 intervals, ... down to the last that is at least one interval:
 * {@code value / interval - 1} values, an arithmetic progression. One by one they cost as many
 * steps as there are values, 3.6 billion for an hour at a microsecond. Here a step takes all that
 * share a bucket: from the smallest not yet counted, the bucket it falls in says how far to go. So
 * there are at most as many steps as buckets below the value, and the sum is that of the
 * progression.
 *
 * <p>Source: HdrHistogram 2.2, {@code AbstractHistogram.recordValueWithExpectedInterval}; the tests
 * compare bucket by bucket.
 */
final class BackFill {
  private BackFill() {}

  /**
   * How many values are missing.
   *
   * @param value 0 or more
   * @param interval 0 or less: none are
   */
  static long missing(long value, long interval) {
    // The division is dear, and most values are below two intervals.
    return interval <= 0 || value - interval < interval ? 0 : value / interval - 1;
  }

  /**
   * Adds the missing values, without the value itself.
   *
   * @return how many
   * @throws ArithmeticException when the total count would pass {@link Long#MAX_VALUE}
   */
  static long addTo(Accumulation target, long value, long interval) {
    long missing = missing(value, interval);
    if (missing > 0) {
      long smallest = value % interval + interval;
      long largest = value - interval;
      addCounts(target.counts(), smallest, largest, interval);
      addSum(target.sum(), smallest, largest, interval, missing);
      target.widen(smallest, largest);
    }
    return missing;
  }

  private static void addCounts(PagedCounts counts, long smallest, long largest, long interval) {
    BucketLayout layout = counts.layout();
    long next = smallest;
    while (next <= largest) {
      int index = layout.indexOf(next);
      long end = Math.min(layout.highestValueAt(index), largest);
      long inBucket = (end - next) / interval + 1;
      counts.add(index, inBucket);
      next += inBucket * interval;
    }
  }

  /** Count times mean; the mean of an even number of members is no member, but two halves are. */
  private static void addSum(
      ExactSum sum, long smallest, long largest, long interval, long missing) {
    long half = missing / 2;
    if (missing % 2 == 0) {
      sum.addProduct(smallest, half);
      sum.addProduct(largest, half);
    } else {
      sum.addProduct(smallest + half * interval, missing);
    }
  }
}
