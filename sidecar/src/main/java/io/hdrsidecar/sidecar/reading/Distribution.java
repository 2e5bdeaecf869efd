package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What was counted, as one list of non-zero buckets in ascending order: the form in which scrapes
 * and queries read one series, or the join of many.
 *
 * <p>Buckets that cover the same values add, whatever layout they come from. Others are kept apart,
 * ordered by their highest value, so a join never moves a count to another value: a coarse bucket
 * stays as coarse as it was recorded and no finer one suffers. Percentiles follow HdrHistogram's
 * rule on that order, which for one layout makes them equal to HdrHistogram's.
 *
 * <p>Made to be reused: after warm-up, filling it allocates nothing. One thread at a time; the
 * counts handed to {@link #add(PagedCounts, SumMinMax)} may change meanwhile, for then the result
 * is wrong, but no exception escapes and the next {@link #clear} mends it.
 */
public final class Distribution implements CountsReader {
  /** Of a histogram that is made of buckets of other kinds: 0.1 %, where they may be of 9 %. */
  private static final int DIGITS_OF_OTHERS = 3;

  private final SumMinMax sumMinMax = new SumMinMax();
  private BucketRun buckets = new BucketRun();
  private BucketRun added = new BucketRun();
  private BucketRun spare = new BucketRun();
  private long count;
  private long finestLowest;
  private int finestDigits;
  private final ForeignBuckets foreign = new ForeignBuckets();

  /** Nothing counted yet. */
  public Distribution() {
    clear();
  }

  /**
   * What one takes at most that has so many buckets: an array may be twice as long as is used, and
   * more than one layout takes what is joined, what is added, and what comes of both.
   */
  public static long bytesFor(long buckets, int layouts) {
    long oneRun = 2 * BucketRun.BUCKET_BYTES * buckets + BucketRun.LEAST_BYTES;
    return layouts > 1 ? 3 * oneRun : oneRun + 2 * BucketRun.LEAST_BYTES;
  }

  /** Memory of its arrays, in bytes. */
  public long allocatedBytes() {
    return buckets.allocatedBytes() + added.allocatedBytes() + spare.allocatedBytes();
  }

  /** Forgets everything and keeps the memory. */
  @Override
  public void clear() {
    buckets.clear();
    sumMinMax.clear();
    foreign.clear();
    count = 0;
    finestLowest = Long.MAX_VALUE;
    finestDigits = 0;
  }

  @Override
  public void add(PagedCounts counts, SumMinMax ofCounts) {
    BucketLayout layout = counts.layout();
    added.readFrom(counts);
    if (added.size() > 0) {
      sumMinMax.add(ofCounts);
      foreign.add(layout, ofCounts);
      if (layout.isHdr()) {
        refine(layout.lowestDiscernibleValue(), layout.significantDigits());
      } else {
        refine(1, DIGITS_OF_OTHERS);
      }
      joinAdded();
    }
  }

  /** Adds all that another distribution holds. */
  public void add(Distribution other) {
    if (other.size() > 0) {
      sumMinMax.add(other.sumMinMax);
      foreign.add(other.foreign);
      refine(other.finestLowest, other.finestDigits);
      join(other.buckets);
    }
  }

  @Override
  public CountsReader another() {
    return new Distribution();
  }

  @Override
  public void takeOver(CountsReader filled) {
    clear();
    add((Distribution) filled);
  }

  /** Small units and many digits together split no bucket of either layout. */
  private void refine(long lowest, int digits) {
    finestLowest = Math.min(finestLowest, lowest);
    finestDigits = Math.max(finestDigits, digits);
  }

  /** Takes the buckets read last: as they are, when they are the first. */
  private void joinAdded() {
    if (buckets.size() > 0) {
      join(added);
      return;
    }
    count = added.total();
    BucketRun first = added;
    added = buckets;
    buckets = first;
  }

  private void join(BucketRun others) {
    count = BucketRun.saturatedSum(count, others.total());
    spare.mergeOf(buckets, others);
    BucketRun merged = spare;
    spare = buckets;
    buckets = merged;
  }

  /** Number of values; {@link Long#MAX_VALUE} if a join of series would pass it. */
  public long count() {
    return count;
  }

  /** Sum of the values in their own unit; the holder must not change it. */
  public ExactSum sum() {
    return sumMinMax.sum();
  }

  /** Whether every part of the sum was added up from values, not estimated from buckets. */
  public boolean sumIsExact() {
    return sumMinMax.isSumExact();
  }

  /** Smallest value, or {@link Long#MAX_VALUE} while the count is 0. */
  public long min() {
    return sumMinMax.min();
  }

  /** Largest value, or 0 while the count is 0. */
  public long max() {
    return sumMinMax.max();
  }

  /**
   * Whether the smallest value is known; else it is the edge of a bucket that came without, and the
   * true one is not below it.
   */
  public boolean minIsExact() {
    return foreign.minIsExact();
  }

  /** Likewise the largest; the true one is not above it. */
  public boolean maxIsExact() {
    return foreign.maxIsExact();
  }

  /** Whether there are counts of buckets that are not HdrHistogram's. */
  public boolean hasForeignBuckets() {
    return foreign.any();
  }

  /**
   * Whether values lie in a bucket without an upper bound, and their maximum was not sent. Then
   * {@link Long#MAX_VALUE} stands for no bound, as a percentile and as the maximum.
   */
  public boolean isUnbounded() {
    return foreign.any() && sumMinMax.max() == Long.MAX_VALUE;
  }

  /**
   * By how much of the true value a percentile may be above it, at most: 0.0905 are 9.05 %.
   * Infinite if that has no bound. O(size).
   */
  public double bound() {
    if (isUnbounded()) {
      return Double.POSITIVE_INFINITY;
    }
    double bound = 0;
    for (int i = 0; i < size(); i++) {
      double low = Math.max(lowestAt(i), sumMinMax.min());
      double high = Math.min(highestAt(i), sumMinMax.max());
      if (high > low) {
        bound = Math.max(bound, low == 0 ? Double.POSITIVE_INFINITY : high / low - 1);
      }
    }
    return bound;
  }

  /**
   * What the true value at a percentile is not below: the k-th of all lowest values of buckets,
   * each taken as often as it has counts. 0 while the count is 0. O(size log size) where buckets
   * overlap.
   *
   * @param percentile as in {@link #valueAtPercentile}
   */
  public long leastAtPercentile(double percentile) {
    long rank = rank(percentile);
    long reached = 0;
    for (int i : buckets.byLowest()) {
      reached = BucketRun.saturatedSum(reached, countAt(i));
      if (reached >= rank) {
        return withinExtremes(lowestAt(i));
      }
    }
    return 0;
  }

  /** What is to be said of the buckets beside an answer that is made of them, in words. */
  public List<String> notes() {
    BoundNotes notes = new BoundNotes();
    notes.add(this);
    return notes.texts();
  }

  /** Number of non-zero buckets. */
  public int size() {
    return buckets.size();
  }

  /** Lowest value of the i-th bucket. */
  public long lowestAt(int i) {
    return buckets.lowestAt(i);
  }

  /** Highest value of the i-th bucket; never falls as {@code i} rises. */
  public long highestAt(int i) {
    return buckets.highestAt(i);
  }

  /** Count of the i-th bucket, more than 0. */
  public long countAt(int i) {
    return buckets.countAt(i);
  }

  /**
   * The value that the given share of all values does not exceed, as the highest value of its
   * bucket; percentile 0 is the lowest value of the first bucket. 0 while the count is 0. O(size).
   *
   * @param percentile 0 to 100; others count as the nearer of the two
   * @see Histogram#getValueAtPercentile(double)
   */
  public long valueAtPercentile(double percentile) {
    long rank = rank(percentile);
    int index = 0;
    for (long reached = 0; index < size(); index++) {
      reached = BucketRun.saturatedSum(reached, countAt(index));
      if (reached >= rank) {
        break;
      }
    }
    return valueFrom(index, percentile);
  }

  /**
   * A value of a bucket, brought between the exact minimum and maximum: the first and the last
   * bucket reach further than the values in them, and a percentile above the maximum helps nobody.
   */
  public long withinExtremes(long value) {
    return Math.min(Math.max(value, sumMinMax.min()), sumMinMax.max());
  }

  private long valueFrom(int index, double percentile) {
    if (size() == 0) {
      return 0;
    }
    return percentile <= 0 ? lowestAt(index) : highestAt(index);
  }

  private long rank(double percentile) {
    return rank(percentile, count);
  }

  /**
   * How many of so many values must lie at or below the value at a percentile, by HdrHistogram's
   * rule: at least 1. One ulp off, so that 50 % of 2 is 1.
   *
   * @param percentile as in {@link #valueAtPercentile}
   */
  public static long rank(double percentile, long count) {
    double asked = Math.min(Math.max(Math.nextDown(percentile), 0), 100);
    return Math.max((long) Math.ceil(asked * count / 100), 1);
  }

  /** The layout with the smallest unit and the most digits of all that were added. */
  public BucketLayout finestLayout() {
    return size() == 0 ? BucketLayout.of(1, 3) : BucketLayout.of(finestLowest, finestDigits);
  }

  /**
   * How many counters {@link #toHistogram(long)} would make, of 8 bytes each.
   *
   * @param highestTrackableValue as there
   */
  public long histogramCounters(long highestTrackableValue) {
    return size() == 0
        ? 0
        : BucketLayout.of(finestLowest, finestDigits)
            .countersUpTo(Math.max(inUse(), highestTrackableValue));
  }

  private long inUse() {
    return Math.max(recordedAt(size() - 1), 2 * finestLowest);
  }

  /** Where a histogram counts a bucket: buckets of others may reach far above all values. */
  private long recordedAt(int i) {
    return foreign.any() ? withinExtremes(highestAt(i)) : highestAt(i);
  }

  /**
   * The same counts as a histogram of HdrHistogram, for its output formats.
   *
   * <p>Of one layout, it has that layout and equals the histogram the values were recorded in,
   * bucket by bucket. Of several, it has the smallest lowest discernible value and the most digits
   * among them, and coarser buckets are counted at their highest value; so are those that are not
   * HdrHistogram's, with 3 digits, but not above the maximum. Its range ends with its last bucket,
   * as that of an auto-resizing histogram does.
   *
   * @throws ArithmeticException when the counts exceed {@link Long#MAX_VALUE}
   */
  public Histogram toHistogram() {
    return toHistogram(0);
  }

  /**
   * The same with a range that was configured.
   *
   * @param highestTrackableValue where the range ends, unless there are buckets above it
   * @throws ArithmeticException when the counts exceed {@link Long#MAX_VALUE}
   */
  public Histogram toHistogram(long highestTrackableValue) {
    if (size() == 0) {
      return new Histogram(1, 2, 3);
    }
    long highest = Math.max(inUse(), highestTrackableValue);
    Histogram histogram = new Histogram(finestLowest, highest, finestDigits);
    long total = 0;
    for (int i = 0; i < size(); i++) {
      total = Math.addExact(total, countAt(i));
      histogram.recordValueWithCount(recordedAt(i), countAt(i));
    }
    return histogram;
  }
}
