package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import java.util.Arrays;

/**
 * Turns the buckets of a distribution into those of a native histogram.
 *
 * <p>A bucket goes, whole, where its highest value lies; so a count moves up by at most one bucket
 * of the native histogram, and only if its own bucket lies across an edge. As counts since start
 * never go away, neither does a bucket once used: the schema found here for a series can fall from
 * scrape to scrape but never rise, and needs no memory of the last one.
 *
 * <p>Reused; one thread at a time.
 */
final class NativeBuckets {
  /** Up to here a double is every whole number. */
  private static final double EXACT_DOUBLES = 0x1p53;

  private final int startSchema;
  private final int maxBuckets;
  private int[] indexes = new int[256];
  private long[] counts = new long[256];
  private int size;
  private int schema;
  private long zeroCount;

  NativeBuckets(int startSchema, int maxBuckets) {
    this.startSchema = startSchema;
    this.maxBuckets = maxBuckets;
  }

  /** Becomes the native form of these counts, in the base unit. */
  void readFrom(Distribution distribution, Unit unit) {
    size = 0;
    zeroCount = 0;
    schema = startSchema;
    long limit = 0; // highest value of the bucket filled last, in the unit
    for (int i = 0; i < distribution.size(); i++) {
      long highest = distribution.highestAt(i);
      if (highest == 0) {
        zeroCount += distribution.countAt(i);
      } else if (highest <= limit) {
        counts[size - 1] += distribution.countAt(i);
      } else {
        int index = NativeSchema.indexOf(unit.toBaseUnit((double) highest), schema);
        append(index, distribution.countAt(i));
        limit = limit(NativeSchema.upperBound(index, schema), unit);
      }
    }
    while (size > maxBuckets && schema > NativeSchema.COARSEST) {
      coarsen();
    }
  }

  /**
   * Highest value at or below a bound of the base unit: one division for a native bucket instead of
   * one for each of the counts in it. Where doubles do not tell neighbours apart, none: each count
   * then finds its bucket by itself.
   */
  private static long limit(double bound, Unit unit) {
    double guess = Math.floor(bound * unit.perBaseUnit());
    if (guess >= EXACT_DOUBLES) {
      return 0;
    }
    long limit = (long) guess;
    while (unit.toBaseUnit((double) (limit + 1)) <= bound) {
      limit++;
    }
    while (unit.toBaseUnit((double) limit) > bound) {
      limit--;
    }
    return limit;
  }

  private void append(int index, long count) {
    if (size > 0 && indexes[size - 1] == index) {
      counts[size - 1] += count;
      return;
    }
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, size * 2);
      counts = Arrays.copyOf(counts, size * 2);
    }
    indexes[size] = index;
    counts[size] = count;
    size++;
  }

  private void coarsen() {
    int finer = size;
    size = 0;
    schema--;
    for (int i = 0; i < finer; i++) {
      append(NativeSchema.coarsened(indexes[i], 1), counts[i]);
    }
  }

  int schema() {
    return schema;
  }

  long zeroCount() {
    return zeroCount;
  }

  int size() {
    return size;
  }

  /** Index of the i-th bucket above zero that has counts; ascending. */
  int indexAt(int i) {
    return indexes[i];
  }

  /** Count of that bucket. */
  long countAt(int i) {
    return counts[i];
  }
}
