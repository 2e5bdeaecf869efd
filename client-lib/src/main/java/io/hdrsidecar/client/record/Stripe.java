package io.hdrsidecar.client.record;

import io.hdrsidecar.interval.ExactSum;
import io.hdrsidecar.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One set of counters of a series, shared by the threads that fall on it. {@link SeriesRecorder}
 * says why its protocol is correct; here is what it consists of.
 *
 * <p>Counters are unsigned ints in pages of {@value #PAGE_SIZE}, created when first touched. Beside
 * them stand a few longs, the cells: smallest and largest value, sum, and the marks. A mark says
 * "something was counted here since the last harvest": the lower 32 bits by page (modulo 32), the
 * upper 32 bits by thread id (modulo 32), so that the sampler skips what is idle and sees whether
 * several threads meet here.
 */
final class Stripe {
  static final int PAGE_BITS = 8;
  static final int PAGE_SIZE = 1 << PAGE_BITS;
  private static final int PAGE_MASK = PAGE_SIZE - 1;
  private static final int PAGE_BYTES = 16 + PAGE_SIZE * Integer.BYTES;
  private static final int BLOCK = 8;
  private static final long THREAD_MARKS = -1L << 32;
  private static final int[][] NO_PAGES = {};

  /** No value seen; as a minimum this is the neutral element. */
  static final long NO_MIN = Long.MAX_VALUE;

  /** No value seen; values are 0 or more. */
  static final long NO_MAX = -1;

  // The sum is written for every value, the other cells seldom but read for every value: 128 bytes
  // (a pair of cache lines, as prefetched) keep them apart, and both from other objects.
  private static final int PADDING = 16;
  private static final int MIN = PADDING;
  private static final int MAX = MIN + 1;
  private static final int MARKS = MIN + 2;
  private static final int SUM_LOW = MARKS + PADDING;
  private static final int SUM_HIGH = SUM_LOW + 1;
  private static final int CELLS = SUM_HIGH + PADDING;
  private static final int CELL_BYTES = 16 + CELLS * Long.BYTES;
  private static final int OBJECT_BYTES = 24;

  private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(int[][].class);
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PAGES;

  static {
    try {
      PAGES = MethodHandles.lookup().findVarHandle(Stripe.class, "pages", int[][].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int pageCount;
  private final long[] cells = new long[CELLS];

  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // accessed through PAGES
  private int[][] pages = NO_PAGES;

  Stripe(int counters) {
    pageCount = (counters + PAGE_SIZE - 1) >>> PAGE_BITS;
    cells[MIN] = NO_MIN;
    cells[MAX] = NO_MAX;
  }

  /**
   * Counts a value: extremes, sum, count, marks, in this order.
   *
   * @param threadId picks the mark
   * @return false when there was no memory for its page, and nothing was counted
   */
  boolean record(int index, long value, int times, long threadId) {
    int pageIndex = index >>> PAGE_BITS;
    int[] page = pageAt(pageIndex);
    if (page == null) {
      page = createPage(pageIndex);
      if (page == null) {
        return false;
      }
    }
    long[] cells = this.cells;
    if (value < (long) CELL.getOpaque(cells, MIN)) {
      lowerMin(value);
    }
    if (value > (long) CELL.getOpaque(cells, MAX)) {
      raiseMax(value);
    }
    CELL.getAndAdd(cells, SUM_LOW, (value & 0xffff_ffffL) * times);
    if (value >>> 32 != 0) {
      CELL.getAndAdd(cells, SUM_HIGH, (value >>> 32) * times);
    }
    COUNTER.getAndAdd(page, index & PAGE_MASK, times);
    long marks = pageMark(pageIndex) | threadMark(threadId);
    if (((long) CELL.getVolatile(cells, MARKS) & marks) != marks) {
      CELL.getAndBitwiseOr(cells, MARKS, marks);
    }
    return true;
  }

  private int @Nullable [] pageAt(int pageIndex) {
    int[][] table = (int[][]) PAGES.getAcquire(this);
    return pageIndex < table.length ? (int[]) PAGE.getAcquire(table, pageIndex) : null;
  }

  private int @Nullable [] createPage(int pageIndex) {
    try {
      int[][] table = (int[][]) PAGES.getAcquire(this);
      if (table.length == 0) {
        int[][] created = new int[pageCount][];
        int[][] winner = (int[][]) PAGES.compareAndExchange(this, NO_PAGES, created);
        table = winner == NO_PAGES ? created : winner;
      }
      int[] created = new int[PAGE_SIZE];
      int[] winner = (int[]) PAGE.compareAndExchange(table, pageIndex, (int[]) null, created);
      return winner == null ? created : winner;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private static long pageMark(int pageIndex) {
    return 1L << (pageIndex & 31);
  }

  private static long threadMark(long threadId) {
    return 1L << 32 << (threadId & 31);
  }

  private void lowerMin(long value) {
    long seen = (long) CELL.getOpaque(cells, MIN);
    while (value < seen) {
      long before = (long) CELL.compareAndExchange(cells, MIN, seen, value);
      if (before == seen) {
        return;
      }
      seen = before;
    }
  }

  private void raiseMax(long value) {
    long seen = (long) CELL.getOpaque(cells, MAX);
    while (value > seen) {
      long before = (long) CELL.compareAndExchange(cells, MAX, seen, value);
      if (before == seen) {
        return;
      }
      seen = before;
    }
  }

  /**
   * Moves all counts to {@code target}. Sampler thread only.
   *
   * <p>Marks are cleared before counters are read, as a writer looks at them after it has counted.
   * Memory for the target is taken before a counter is touched; when there is none, what is left
   * stays for the next harvest.
   */
  void drainCounts(PagedCounts target, Tally tally) {
    if ((long) CELL.getVolatile(cells, MARKS) == 0) {
      return;
    }
    long marks = (long) CELL.getAndSet(cells, MARKS, 0L);
    long before = tally.count();
    try {
      int[][] table = (int[][]) PAGES.getAcquire(this);
      for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
        int[] page = (int[]) PAGE.getAcquire(table, pageIndex);
        if (page != null && (marks & pageMark(pageIndex)) != 0) {
          drainPage(page, pageIndex << PAGE_BITS, target, tally);
        }
      }
    } catch (OutOfMemoryError e) {
      CELL.getAndBitwiseOr(cells, MARKS, marks);
    }
    tally.endOfStripe(tally.count() - before, Long.bitCount(marks & THREAD_MARKS));
  }

  /**
   * Finds the non-zero counters of a page first and swaps them then: an atomic instruction lets no
   * later load start, so that in one loop each cache miss would wait for the one before.
   */
  private static void drainPage(int[] page, int firstIndex, PagedCounts target, Tally tally) {
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
    for (int block = 0; block < PAGE_SIZE; block += BLOCK) {
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

  /** Moves the sum to {@code target}. Sampler thread only, after the counts. */
  void drainSum(ExactSum target) {
    target.add(0, (long) CELL.getAndSet(cells, SUM_LOW, 0L));
    if ((long) CELL.getVolatile(cells, SUM_HIGH) != 0) {
      addUpperHalves((long) CELL.getAndSet(cells, SUM_HIGH, 0L), target);
    }
  }

  private static void addUpperHalves(long upperHalves, ExactSum target) {
    target.add(upperHalves >>> 32, upperHalves << 32);
  }

  /** Moves the extremes to {@code target}. Sampler thread only, after the counts. */
  void drainExtremes(Extremes target) {
    target.offer(
        (long) CELL.getAndSet(cells, MIN, NO_MIN), (long) CELL.getAndSet(cells, MAX, NO_MAX));
  }

  /** Adds a copy of all counts to {@code target}. Any thread. */
  void copyCounts(PagedCounts target, Tally tally) {
    int[][] table = (int[][]) PAGES.getAcquire(this);
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      int[] page = (int[]) PAGE.getAcquire(table, pageIndex);
      if (page != null) {
        copyPage(page, pageIndex << PAGE_BITS, target, tally);
      }
    }
  }

  private static void copyPage(int[] page, int firstIndex, PagedCounts target, Tally tally) {
    for (int i = 0; i < PAGE_SIZE; i++) {
      long count = Integer.toUnsignedLong((int) COUNTER.getVolatile(page, i));
      if (count != 0) {
        target.add(firstIndex + i, count);
        tally.add(count, firstIndex + i, firstIndex + i);
      }
    }
  }

  /** Adds a copy of the sum to {@code target}. Any thread, after the counts. */
  void copySum(ExactSum target) {
    target.add(0, (long) CELL.getVolatile(cells, SUM_LOW));
    addUpperHalves((long) CELL.getVolatile(cells, SUM_HIGH), target);
  }

  /** Offers the extremes to {@code target}. Any thread, after the counts. */
  void copyExtremes(Extremes target) {
    target.offer((long) CELL.getVolatile(cells, MIN), (long) CELL.getVolatile(cells, MAX));
  }

  /** Memory, in bytes, on a JVM with compressed references. */
  long allocatedBytes() {
    int[][] table = (int[][]) PAGES.getAcquire(this);
    long bytes = OBJECT_BYTES + CELL_BYTES;
    if (table.length > 0) {
      bytes += 16 + (4L * table.length + 7) / 8 * 8;
    }
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      bytes += PAGE.getAcquire(table, pageIndex) == null ? 0 : PAGE_BYTES;
    }
    return bytes;
  }
}
