package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.reading.BucketRun;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.ForeignBuckets;

/**
 * The counts of a series since its start, in base-2 exponential buckets of its base unit: in the
 * finest scale, at most 8, in which they are few enough. Filled anew for each series; one thread at
 * a time.
 *
 * <p>A bucket of the series goes, whole, where its highest value lies. That is the place of each
 * value in it, or the next place above if an edge of the base-2 buckets lies within that one bucket
 * of the series. So each count is less than one bucket of the series away from its own value: 0.1 %
 * with 3 digits. One without an upper bound goes where it begins, which is below its values, as
 * nothing else about them lasts. What came in base-2 buckets of a scale is not shown in a finer
 * one, and where its unit is the base unit, each count stays in the bucket that its sender chose.
 *
 * <p>Counts since start never go away, and neither does a bucket once used: so the scale of a
 * series may fall with time, and never rises.
 *
 * <p>Buckets are numbered as OpenTelemetry does it: bucket {@code i} holds the values in {@code
 * (2^(i/2^scale), 2^((i+1)/2^scale)]}.
 */
public final class ExponentialReading implements CountsReader {
  /** Values up to this count as 0; none but 0 is so small here. */
  public static final double ZERO_THRESHOLD = NativeSchema.ZERO_THRESHOLD;

  private final int maxBuckets;
  private final NativeBuckets buckets = new NativeBuckets(NativeSchema.FINEST, Integer.MAX_VALUE);
  private final ExactSum exactSum = new ExactSum();
  private final ForeignBuckets extremes = new ForeignBuckets();
  private Unit unit = Unit.NONE;
  private BucketLayout layout = BucketLayout.of(1, 0);
  private int finest;
  private long count;
  private long min;
  private long max;

  /**
   * Of no series yet.
   *
   * @param maxBuckets most buckets from the first to the last in use; 5 are enough for any values
   */
  public ExponentialReading(int maxBuckets) {
    this.maxBuckets = maxBuckets;
  }

  /** Becomes what was counted for this series since its start. */
  public void readFrom(Series series) {
    unit = series.unit();
    series.readTotal(this);
    buckets.fitSpan(finest, maxBuckets);
  }

  @Override
  public void clear() {
    buckets.clear();
    exactSum.clear();
    extremes.clear();
    finest = NativeSchema.FINEST;
    count = 0;
    min = Long.MAX_VALUE;
    max = 0;
  }

  @Override
  public void add(PagedCounts counts, SumMinMax sumMinMax) {
    if (counts.total() == 0) {
      return;
    }
    layout = counts.layout();
    finest = Math.min(finest, layout.base2Scale());
    counts.forEach(this::addBucket);
    exactSum.add(sumMinMax.sum());
    extremes.add(layout, sumMinMax);
    min = Math.min(min, sumMinMax.min());
    max = Math.max(max, sumMinMax.max());
  }

  private void addBucket(int index, long more) {
    long highest = BucketRanges.placeOf(layout, index);
    count = BucketRun.saturatedSum(count, more);
    if (highest == 0) {
      buckets.addZero(more);
    } else {
      buckets.add(
          NativeSchema.indexOf(unit.toBaseUnit((double) highest), NativeSchema.FINEST), more);
    }
  }

  @Override
  public CountsReader another() {
    ExponentialReading another = new ExponentialReading(maxBuckets);
    another.unit = unit;
    return another;
  }

  @Override
  public void takeOver(CountsReader filled) {
    ExponentialReading other = (ExponentialReading) filled;
    clear();
    buckets.addZero(other.buckets.zeroCount());
    for (int i = 0; i < other.buckets.size(); i++) {
      buckets.add(other.buckets.indexAt(i), other.buckets.countAt(i));
    }
    exactSum.set(other.exactSum);
    extremes.add(other.extremes);
    finest = other.finest;
    count = other.count;
    min = other.min;
    max = other.max;
  }

  /** Joins pairs of buckets until the scale is no finer than this one. */
  public void coarsenTo(int scale) {
    buckets.fitSpan(scale, maxBuckets);
  }

  /** The bucket that holds this one at a scale that is coarser by so many. */
  public static int coarsened(int index, int scales) {
    return index >> scales;
  }

  /** Number of values. */
  public long count() {
    return count;
  }

  /** Of these, how many are 0. */
  public long zeroCount() {
    return buckets.zeroCount();
  }

  /** From -4 to 8. */
  public int scale() {
    return buckets.schema();
  }

  /** Index of the first bucket with counts; 0 without any. */
  public int firstIndex() {
    return buckets.size() == 0 ? 0 : buckets.indexAt(0) - 1;
  }

  /** Counts of the buckets from the first to the last in use; those in between may be 0. A copy. */
  public long[] counts() {
    long[] dense = new long[buckets.span()];
    for (int i = 0; i < buckets.size(); i++) {
      dense[buckets.indexAt(i) - buckets.indexAt(0)] = buckets.countAt(i);
    }
    return dense;
  }

  /** Sum of the values in the unit of the series; the holder must not change it. */
  public ExactSum sum() {
    return exactSum;
  }

  /** Whether {@link #min} is known, and not the edge of a bucket. */
  public boolean hasMin() {
    return count > 0 && extremes.minIsExact();
  }

  /** The smallest value, in the unit of the series. */
  public long min() {
    return min;
  }

  /** Whether {@link #max} is known, and not the edge of a bucket. */
  public boolean hasMax() {
    return count > 0 && extremes.maxIsExact();
  }

  /** The largest value, in the unit of the series. */
  public long max() {
    return max;
  }
}
