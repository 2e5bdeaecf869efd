package io.hdrsidecar.interval;

import java.util.Arrays;

/**
 * The non-zero buckets of one interval, in ascending order: what a payload decodes to before
 * anything of the series is touched.
 *
 * <p>Made to be reused: after warm-up, filling it allocates nothing. One thread at a time.
 */
public final class SparseCounts implements CountVisitor {
  private int[] indexes = new int[64];
  private long[] counts = new long[64];
  private int size;
  private long total;

  /** Number of non-zero buckets. */
  public int size() {
    return size;
  }

  /** Bucket index of the i-th non-zero bucket. */
  public int indexAt(int i) {
    return indexes[i];
  }

  /** Count of the i-th non-zero bucket. */
  public long countAt(int i) {
    return counts[i];
  }

  /** Sum of all counts. */
  public long total() {
    return total;
  }

  /** Forgets all buckets and keeps the memory. */
  public void clear() {
    size = 0;
    total = 0;
  }

  /**
   * Appends a bucket.
   *
   * @param index above the index appended before
   * @param count more than 0
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}
   */
  @Override
  public void visit(int index, long count) {
    total = Math.addExact(total, count);
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, size * 2);
      counts = Arrays.copyOf(counts, size * 2);
    }
    indexes[size] = index;
    counts[size] = count;
    size++;
  }
}
