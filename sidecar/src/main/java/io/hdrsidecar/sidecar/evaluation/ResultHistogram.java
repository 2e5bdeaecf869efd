package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.series.Unit;
import java.util.Arrays;
import java.util.TreeMap;

/** A distribution as a result: as fine as they were counted. */
public final class ResultHistogram {
  /** What one bucket takes. */
  static final long BUCKET_BYTES = 3 * 8;

  private final Unit unit;
  private final double count;
  private final double sum;
  private final BucketLayout layout;
  private final long[] lowest;
  private final long[] highest;
  private final double[] counts;

  /** Takes a copy. */
  ResultHistogram(HistogramValue value) {
    unit = value.unit();
    count = value.count();
    sum = value.sum();
    layout = value.parts().get(0).counts().finestLayout();
    TreeMap<Long, double[]> byHighest = new TreeMap<>();
    TreeMap<Long, Long> lows = new TreeMap<>();
    for (HistogramValue.DividedCounts part : value.parts()) {
      for (int i = 0; i < part.counts().size(); i++) {
        long high = part.counts().highestAt(i);
        byHighest.computeIfAbsent(high, none -> new double[1])[0] += part.weightAt(i);
        lows.merge(high, part.counts().lowestAt(i), Math::min);
      }
    }
    highest = byHighest.keySet().stream().mapToLong(high -> high).toArray();
    lowest = lows.values().stream().mapToLong(low -> low).toArray();
    counts = byHighest.values().stream().mapToDouble(each -> each[0]).toArray();
  }

  private ResultHistogram(ResultHistogram of, long[] lowest, long[] highest, double[] counts) {
    this.unit = of.unit;
    this.count = of.count;
    this.sum = of.sum;
    this.layout = of.layout;
    this.lowest = lowest;
    this.highest = highest;
    this.counts = counts;
  }

  /**
   * With as many neighbours of the layout joined as a power of two says, in the same places for
   * all.
   */
  ResultHistogram coarsened(int power) {
    if (power == 0) {
      return this;
    }
    long[] newLowest = new long[lowest.length];
    long[] newHighest = new long[lowest.length];
    double[] newCounts = new double[lowest.length];
    int size = 0;
    int last = -1;
    for (int i = 0; i < lowest.length; i++) {
      int group = layout.indexOf(highest[i]) >> power;
      if (size == 0 || group != last) {
        // A bucket of another kind may begin below the group that it ends in.
        newLowest[size] = Math.min(lowest[i], layout.lowestValueAt(group << power));
        newHighest[size] = layout.highestValueAt(((group + 1) << power) - 1);
        size++;
      }
      newCounts[size - 1] += counts[i];
      last = group;
    }
    return new ResultHistogram(
        this,
        Arrays.copyOf(newLowest, size),
        Arrays.copyOf(newHighest, size),
        Arrays.copyOf(newCounts, size));
  }

  /** Number of values. */
  public double count() {
    return count;
  }

  /** Sum of the values, in the base unit. */
  public double sum() {
    return sum;
  }

  /** Number of buckets. */
  public int size() {
    return counts.length;
  }

  /** Lowest value of a bucket, in the base unit. */
  public double fromAt(int i) {
    return unit.toBaseUnit((double) lowest[i]);
  }

  /** What all values of a bucket are below, in the base unit: the lowest of the next. */
  public double toAt(int i) {
    return unit.toBaseUnit(highest[i] + 1.0);
  }

  /** How many values a bucket has. */
  public double countAt(int i) {
    return counts[i];
  }
}
