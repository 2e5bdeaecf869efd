package io.hdrsidecar.internal.interval;

import java.util.Arrays;

/**
 * The non-zero buckets of one interval, in ascending order: what a payload decodes to before
 * anything of the series is touched.
 *
 * <p>Made to be reused: after warm-up, filling it allocates nothing. One thread at a time.
 */
public final class SparseCounts implements CountVisitor {
  /** What is spare after growing: a quarter, for little is grown and all is kept. */
  private static final int SPARE = 4;

  private static final long ARRAY_HEADER_BYTES = 16;

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

  /** Takes the memory for this many more buckets, so that they may be put behind the others. */
  public void reserve(int buckets) {
    if (!hasRoomFor(buckets)) {
      int length = size + Math.max(buckets, size / SPARE);
      indexes = Arrays.copyOf(indexes, length);
      counts = Arrays.copyOf(counts, length);
    }
  }

  /** Memory of the buckets, whether they are used at the moment or not. */
  public long allocatedBytes() {
    return (long) (Integer.BYTES + Long.BYTES) * indexes.length + 2 * ARRAY_HEADER_BYTES;
  }

  /**
   * The bucket indexes themselves, from 0 up to {@link #size}, until the next {@link #reserve} or
   * {@link #visit}: for loops over all buckets, in which every call counts. A caller that appends
   * in such a loop calls reserve first, writes behind the size, and then says so with {@link
   * #appended}.
   */
  public int[] indexes() {
    return indexes;
  }

  /** The counts themselves, as {@link #indexes}. */
  public long[] counts() {
    return counts;
  }

  /**
   * Takes what was written into the arrays.
   *
   * @param newSize where it ends; its indexes ascend and its counts are more than 0
   * @param counted the sum of its counts
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is taken
   */
  public void appended(int newSize, long counted) {
    total = Math.addExact(total, counted);
    size = newSize;
  }
}
