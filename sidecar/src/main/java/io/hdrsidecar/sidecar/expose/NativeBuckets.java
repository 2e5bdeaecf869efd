package io.hdrsidecar.sidecar.expose;

import java.util.Arrays;

/**
 * The buckets of a native histogram, at most so many.
 *
 * <p>As counts since start never go away, neither does a bucket once used: the schema found here
 * for a series can fall from scrape to scrape but never rise, and needs no memory of the last one.
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

  /** No counts, in the finest schema. */
  void clear() {
    size = 0;
    zeroCount = 0;
    schema = startSchema;
  }

  /** Adds values of 0. */
  void addZero(long count) {
    zeroCount += count;
  }

  /** Adds to a bucket of the finest schema; quickest in ascending order. */
  void add(int index, long count) {
    if (size == 0 || indexes[size - 1] < index) {
      append(index, count);
      return;
    }
    int found = Arrays.binarySearch(indexes, 0, size, index);
    if (found >= 0) {
      counts[found] += count;
      return;
    }
    int place = -found - 1;
    append(indexes[size - 1], counts[size - 1]);
    System.arraycopy(indexes, place, indexes, place + 1, size - 1 - place);
    System.arraycopy(counts, place, counts, place + 1, size - 1 - place);
    indexes[place] = index;
    counts[place] = count;
  }

  private void append(int index, long count) {
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, size * 2);
      counts = Arrays.copyOf(counts, size * 2);
    }
    indexes[size] = index;
    counts[size] = count;
    size++;
  }

  /** Takes coarser schemas until the buckets are few enough. */
  void fit() {
    while (size > maxBuckets && schema > NativeSchema.COARSEST) {
      coarsen();
    }
  }

  /**
   * Takes coarser schemas until none is finer than this one and, from the first bucket in use to
   * the last, there are few enough.
   */
  void fitSpan(int finest, int maxSpan) {
    while (schema > NativeSchema.COARSEST && (schema > finest || span() > maxSpan)) {
      coarsen();
    }
  }

  /** Buckets from the first in use to the last, those without counts in between included. */
  int span() {
    return size == 0 ? 0 : indexes[size - 1] - indexes[0] + 1;
  }

  private void coarsen() {
    int finer = size;
    size = 0;
    schema--;
    for (int i = 0; i < finer; i++) {
      int index = NativeSchema.coarsened(indexes[i], 1);
      if (size > 0 && indexes[size - 1] == index) {
        counts[size - 1] += counts[i];
      } else {
        append(index, counts[i]);
      }
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
