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
    reserve(1);
    indexes[size] = index;
    counts[size] = count;
    size++;
  }

  /** Whether {@link #reserve} of this many more buckets takes no memory. */
  public boolean hasRoomFor(int buckets) {
    return indexes.length - size >= buckets;
  }

  /** Takes the memory for this many more buckets, so that {@link #appendUnlessZero} has it. */
  public void reserve(int buckets) {
    if (!hasRoomFor(buckets)) {
      int length = Math.max(size + buckets, size * 2);
      indexes = Arrays.copyOf(indexes, length);
      counts = Arrays.copyOf(counts, length);
    }
  }

  /**
   * Appends a bucket if it has a count. In a payload, counts and empty buckets take turns as they
   * please, so that a processor guesses every second time wrong which comes next; here is no branch
   * to guess. Only after {@link #reserve}, and what was counted must be added with {@link
   * #addToTotal}.
   *
   * @param index above the index appended before
   * @param count 0 or more
   */
  public void appendUnlessZero(int index, int count) {
    indexes[size] = index;
    counts[size] = count;
    size += -count >>> 31;
  }

  /**
   * Adds what {@link #appendUnlessZero} counted.
   *
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}
   */
  public void addToTotal(long counted) {
    total = Math.addExact(total, counted);
  }
}
