package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A page of counters: unsigned ints, to which writers add and which the sampler swaps with 0. */
final class AtomicPage {
  static final int BITS = 8;
  static final int SIZE = 1 << BITS;
  static final int BYTES = 16 + SIZE * Integer.BYTES;
  private static final int MASK = SIZE - 1;
  private static final int BLOCK = 8;
  private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(int[].class);

  private AtomicPage() {}

  static int[] create() {
    return new int[SIZE];
  }

  /** Adds to the counter of a bucket. */
  static void add(int[] page, int index, int times) {
    COUNTER.getAndAdd(page, index & MASK, times);
  }

  /**
   * Moves all counts to {@code target}; takes the memory for them before it touches a counter.
   *
   * <p>Finds the non-zero counters first and swaps them then: an atomic instruction lets no later
   * load start, so that in one loop each cache miss would wait for the one before.
   *
   * @param firstIndex bucket index of the first counter
   */
  static void drain(int[] page, int firstIndex, PagedCounts target, HarvestTally tally) {
    byte[] places = tally.places();
    int found = findNonZero(page, places);
    if (found == 0) {
      return;
    }
    int lowIndex = firstIndex + Byte.toUnsignedInt(places[0]);
    int highIndex = firstIndex + Byte.toUnsignedInt(places[found - 1]);
    target.reserve(lowIndex, highIndex + 1);
    long drained = 0;
    for (int i = 0; i < found; i++) {
      int place = Byte.toUnsignedInt(places[i]);
      long count = Integer.toUnsignedLong((int) COUNTER.getAndSet(page, place, 0));
      target.add(firstIndex + place, count);
      drained += count;
    }
    tally.add(drained, lowIndex, highIndex);
  }

  /** Skips blocks of zeros, and has no branch inside the others, as none could be predicted. */
  private static int findNonZero(int[] page, byte[] places) {
    int found = 0;
    for (int block = 0; block < SIZE; block += BLOCK) {
      if (!isZero(page, block)) {
        for (int i = block; i < block + BLOCK; i++) {
          int count = (int) COUNTER.getVolatile(page, i);
          places[found] = (byte) i;
          found += (count | -count) >>> 31; // 1 unless the count is 0
        }
      }
    }
    return found;
  }

  private static boolean isZero(int[] page, int block) {
    int any = 0;
    for (int i = block; i < block + BLOCK; i++) {
      any |= (int) COUNTER.getVolatile(page, i);
    }
    return any == 0;
  }

  /** Adds a copy of all counts to {@code target}. */
  static void copy(int[] page, int firstIndex, PagedCounts target, HarvestTally tally) {
    for (int i = 0; i < SIZE; i++) {
      long count = Integer.toUnsignedLong((int) COUNTER.getVolatile(page, i));
      if (count != 0) {
        target.add(firstIndex + i, count);
        tally.add(count, firstIndex + i, firstIndex + i);
      }
    }
  }
}
