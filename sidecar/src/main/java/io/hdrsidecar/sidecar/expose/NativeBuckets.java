package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
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
    double bound = 0;
    for (int i = 0; i < distribution.size(); i++) {
      double highest = unit.toBaseUnit((double) distribution.highestAt(i));
      if (highest == 0) {
        zeroCount += distribution.countAt(i);
      } else if (highest <= bound) {
        counts[size - 1] += distribution.countAt(i);
      } else {
        int index = NativeSchema.indexOf(highest, schema);
        append(index, distribution.countAt(i));
        bound = NativeSchema.upperBound(index, schema);
      }
    }
    while (size > maxBuckets && schema > NativeSchema.COARSEST) {
      coarsen();
    }
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

  /** A copy for the Prometheus client. */
  NativeHistogramBuckets positive() {
    return size == 0
        ? NativeHistogramBuckets.EMPTY
        : NativeHistogramBuckets.of(Arrays.copyOf(indexes, size), Arrays.copyOf(counts, size));
  }
}
