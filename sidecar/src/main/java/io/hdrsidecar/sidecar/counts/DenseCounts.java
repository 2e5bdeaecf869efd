package io.hdrsidecar.sidecar.counts;

import io.hdrsidecar.internal.interval.SparseCounts;
import java.util.Arrays;

/**
 * Adds up intervals of one layout, of which hardly two have the same buckets: a counter for each
 * bucket up to a limit, and a bit for each that is in use. Pages of counters take less memory; here
 * a bucket takes one addition, wherever it lies. Made to be reused; one thread at a time.
 */
public final class DenseCounts {
  /** What lies behind is not taken; of nanoseconds with 3 digits, all up to 30 minutes is. */
  static final int BUCKETS = 1 << 15;

  private static final long ARRAY_HEADER_BYTES = 16;

  private long[] counts = {};
  private long[] inUse = {};
  private long total;

  /** Whether all of its buckets lie below the limit. */
  public boolean takes(SparseCounts added) {
    return added.size() > 0 && added.indexAt(added.size() - 1) < BUCKETS;
  }

  /**
   * Adds what is taken.
   *
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(SparseCounts added) {
    total = Math.addExact(total, added.total());
    int size = added.size();
    reach(added.indexAt(size - 1));
    int[] indexes = added.indexes();
    long[] more = added.counts();
    long[] counters = counts;
    long[] bits = inUse;
    for (int i = 0; i < size; i++) {
      int index = indexes[i];
      counters[index] += more[i];
      bits[index >>> 6] |= 1L << index;
    }
  }

  private void reach(int index) {
    if (index >= counts.length) {
      int spare = counts.length + counts.length / 4;
      int length = Math.min((Math.max(index, spare) | 63) + 1, BUCKETS);
      counts = Arrays.copyOf(counts, length);
      inUse = Arrays.copyOf(inUse, length >>> 6);
    }
  }

  /** How many values there are. */
  public long total() {
    return total;
  }

  /** Replaces the contents of {@code into} by the buckets, and forgets them. */
  public void moveTo(SparseCounts into) {
    into.clear();
    for (int word = 0; word < inUse.length; word++) {
      for (long left = inUse[word]; left != 0; left &= left - 1) {
        int index = (word << 6) + Long.numberOfTrailingZeros(left);
        into.visit(index, counts[index]);
        counts[index] = 0;
      }
      inUse[word] = 0;
    }
    total = 0;
  }

  /** Forgets everything and keeps the memory. */
  public void clear() {
    if (total > 0) {
      Arrays.fill(counts, 0);
      Arrays.fill(inUse, 0);
      total = 0;
    }
  }

  /** Memory of the counters, whether they are used at the moment or not. */
  public long allocatedBytes() {
    return Long.BYTES * ((long) counts.length + inUse.length) + 2 * ARRAY_HEADER_BYTES;
  }
}
