package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.CountVisitor;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Buckets in ascending order of their highest, then lowest value, in arrays that are reused. */
public final class BucketRun implements CountVisitor {
  /** Of one bucket: lowest value, highest value, count. */
  static final long BUCKET_BYTES = 3 * 8;

  private static final int LEAST_BUCKETS = 64;

  /** Of one without buckets. */
  static final long LEAST_BYTES = LEAST_BUCKETS * BUCKET_BYTES + 3 * 16;

  private BucketLayout layout = BucketLayout.of(1, 0);
  private long[] lowest = new long[LEAST_BUCKETS];
  private long[] highest = new long[LEAST_BUCKETS];
  private long[] counts = new long[LEAST_BUCKETS];
  private int size;
  private long total;

  void clear() {
    size = 0;
    total = 0;
  }

  long allocatedBytes() {
    return counts.length * BUCKET_BYTES + 3 * 16;
  }

  int size() {
    return size;
  }

  long total() {
    return total;
  }

  long lowestAt(int i) {
    return lowest[i];
  }

  long highestAt(int i) {
    return highest[i];
  }

  long countAt(int i) {
    return counts[i];
  }

  /** Becomes a copy of the non-zero buckets of these counts. */
  void readFrom(PagedCounts paged) {
    clear();
    layout = paged.layout();
    paged.forEach(this);
  }

  /** One bucket of the layout being read. */
  @Override
  public void visit(int index, long count) {
    append(layout.lowestValueAt(index), layout.highestValueAt(index), count);
  }

  private void append(long low, long high, long count) {
    if (size == counts.length) {
      lowest = Arrays.copyOf(lowest, size * 2);
      highest = Arrays.copyOf(highest, size * 2);
      counts = Arrays.copyOf(counts, size * 2);
    }
    lowest[size] = low;
    highest[size] = high;
    counts[size] = count;
    size++;
    total = saturatedSum(total, count);
  }

  /** Becomes the ordered join of two others; equal buckets add. */
  void mergeOf(BucketRun a, BucketRun b) {
    clear();
    int i = 0;
    int j = 0;
    while (i < a.size && j < b.size) {
      int order = order(a, i, b, j);
      if (order == 0) {
        append(a.lowest[i], a.highest[i], saturatedSum(a.counts[i++], b.counts[j++]));
      } else if (order < 0) {
        append(a, i++);
      } else {
        append(b, j++);
      }
    }
    for (; i < a.size; i++) {
      append(a, i);
    }
    for (; j < b.size; j++) {
      append(b, j);
    }
  }

  private void append(BucketRun from, int i) {
    append(from.lowest[i], from.highest[i], from.counts[i]);
  }

  /**
   * Places of the buckets in ascending order of their lowest values: of one layout, as they are.
   */
  int[] byLowest() {
    int[] places = IntStream.range(0, size).toArray();
    for (int i = 1; i < size; i++) {
      if (lowest[i] < lowest[i - 1]) {
        return Arrays.stream(places)
            .boxed()
            .sorted(Comparator.comparingLong(place -> lowest[place]))
            .mapToInt(place -> place)
            .toArray();
      }
    }
    return places;
  }

  private static int order(BucketRun a, int i, BucketRun b, int j) {
    int byHighest = Long.compare(a.highest[i], b.highest[j]);
    return byHighest != 0 ? byHighest : Long.compare(a.lowest[i], b.lowest[j]);
  }

  /** Sum of two counts of 0 or more, at most {@link Long#MAX_VALUE}. */
  public static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
