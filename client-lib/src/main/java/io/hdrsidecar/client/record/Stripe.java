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
 * <p><b>Pages</b> of counters are created when first touched. Beside them stand a few longs, the
 * cells: smallest and largest value, sums, and marks.
 *
 * <p><b>Marks</b> say "something was counted here since the last harvest": the lower 32 bits by
 * page (modulo 32), the upper 32 bits by thread id (modulo 32), so that the sampler skips what is
 * idle and sees whether several threads meet here.
 *
 * <p><b>Sums.</b> An atomic addition is half of what recording costs. So a hot stripe gives one of
 * its threads, the owner, a sum of its own, which nobody else writes and plain additions can keep.
 * It only grows (modulo 2<sup>64</sup>); the sampler harvests the difference to the last harvest.
 * All other threads add to the shared sum atomically. This is exact, as there is never a second
 * writer:
 *
 * <ul>
 *   <li>A thread becomes the owner only where there is none, by its own compare-and-set, and only
 *       the sampler takes it away, once it has terminated. So a live thread that reads itself as
 *       the owner is the owner, and a plain read will do: whatever else it reads, possibly stale,
 *       is not itself, and the shared sum is right for everybody at any time. Owners are told apart
 *       as objects, so a thread id used again means nothing, and a virtual thread is as good as
 *       another, whichever carrier it runs on.
 *   <li>The next owner continues where the last one ended: all actions of a thread happen before
 *       {@link Thread#isAlive} returns false (JLS 17.4.4), that before the release of the
 *       ownership, that before the compare-and-set which finds it free.
 *   <li>The sampler misses nothing: the owner adds to the sum before the counter, atomically there,
 *       so who has swapped the counter sees the sum with that value in it. The sampler alone writes
 *       what is taken.
 *   <li>Growth changes nothing: an owner whose id now leads to another stripe keeps, unused, the
 *       sum it has in this one, and may still get here through an array read before.
 * </ul>
 *
 * <p><b>Access modes.</b> Counters, marks and sums change by atomic instructions (volatile), but
 * for the owner's sum, which is written opaque and published by the addition to the counter after
 * it. Writers read a page and the table of pages by acquire, so that its publication, by
 * compare-and-exchange, happens before all they do with it; the sampler reads both as volatile,
 * which is the step of the proof that needs one order of all. Writers read the extremes opaque: a
 * writer that leaves an extreme as it is has read one at least as far out, and as each cell has one
 * order of its writes, the sampler, who swaps the extremes after it has swapped that writer's
 * count, takes that extreme with this harvest if it has not with an earlier one.
 */
final class Stripe {
  /** No value seen; as a minimum this is the neutral element. */
  static final long NO_MIN = Long.MAX_VALUE;

  /** No value seen; values are 0 or more. */
  static final long NO_MAX = -1;

  private static final long LOW_HALF = 0xffff_ffffL;
  private static final long THREAD_MARKS = -1L << 32;
  private static final int[][] NO_PAGES = {};

  // The sums are written for every value, the other cells seldom but read for every value:
  // 128 bytes (a pair of cache lines, as prefetched) keep them apart, and both from other objects.
  private static final int PADDING = 16;
  private static final int MIN = PADDING;
  private static final int MAX = MIN + 1;
  private static final int MARKS = MIN + 2;
  private static final int SUM_LOW = MARKS + PADDING;
  private static final int SUM_HIGH = SUM_LOW + 1;
  private static final int OWNED_SUM = SUM_LOW + 2;
  private static final int OWNED_SUM_TAKEN = SUM_LOW + 3;
  private static final int CELLS = OWNED_SUM_TAKEN + PADDING;
  private static final int CELL_BYTES = 16 + CELLS * Long.BYTES;
  private static final int OBJECT_BYTES = 32;

  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(int[][].class);
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PAGES;
  private static final VarHandle SUM_OWNER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PAGES = lookup.findVarHandle(Stripe.class, "pages", int[][].class);
      SUM_OWNER = lookup.findVarHandle(Stripe.class, "sumOwner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int pageCount;
  private final long[] cells = new long[CELLS];

  /**
   * All slots, once there is a first page; each goes from null to its page once. Who still reads
   * null is told by the compare-and-exchange.
   */
  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // accessed through PAGES
  private int[][] pages = NO_PAGES;

  /** Read plainly; see the class comment. */
  private @Nullable Thread sumOwner;

  /** The sampler's wish, for any writer that happens to see it. */
  private boolean sumOwnerWanted;

  Stripe(int counters) {
    pageCount = (counters + CounterPage.SIZE - 1) >>> CounterPage.BITS;
    cells[MIN] = NO_MIN;
    cells[MAX] = NO_MAX;
  }

  /**
   * Counts a value: extremes, sum, count, marks, in this order.
   *
   * @param thread the calling thread
   * @return false when there was no memory for its page, and nothing was counted
   */
  boolean record(int index, long value, int times, Thread thread) {
    int pageIndex = index >>> CounterPage.BITS;
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
    if (value >>> 32 != 0) {
      CELL.getAndAdd(cells, SUM_LOW, (value & LOW_HALF) * times);
      CELL.getAndAdd(cells, SUM_HIGH, (value >>> 32) * times);
    } else if (thread == sumOwner) {
      // Published by the atomic addition to the counter, which follows.
      CELL.setOpaque(cells, OWNED_SUM, (long) CELL.getOpaque(cells, OWNED_SUM) + value * times);
    } else {
      CELL.getAndAdd(cells, SUM_LOW, value * times);
    }
    CounterPage.add(page, index, times);
    long marks = pageMark(pageIndex) | threadMark(thread);
    if (((long) CELL.getVolatile(cells, MARKS) & marks) != marks) {
      mark(marks, thread);
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
      int[] created = CounterPage.create();
      int[] winner = (int[]) PAGE.compareAndExchange(table, pageIndex, (int[]) null, created);
      return winner == null ? created : winner;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private static long pageMark(int pageIndex) {
    return 1L << (pageIndex & 31);
  }

  private static long threadMark(Thread thread) {
    return 1L << 32 << (thread.getId() & 31);
  }

  /** A thread comes here once an interval and page: occasion enough to become the owner. */
  private void mark(long marks, Thread thread) {
    CELL.getAndBitwiseOr(cells, MARKS, marks);
    if (sumOwnerWanted && sumOwner == null) {
      SUM_OWNER.compareAndSet(this, (Thread) null, thread);
    }
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
   * Without memory for the target, what is left stays for the next harvest.
   */
  void drainCounts(PagedCounts target, Tally tally) {
    releaseDeadOwner();
    if ((long) CELL.getVolatile(cells, MARKS) == 0) {
      return;
    }
    long marks = (long) CELL.getAndSet(cells, MARKS, 0L);
    long before = tally.count();
    try {
      int[][] table = (int[][]) PAGES.getVolatile(this);
      for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
        int[] page = (int[]) PAGE.getVolatile(table, pageIndex);
        if (page != null && (marks & pageMark(pageIndex)) != 0) {
          CounterPage.drain(page, pageIndex << CounterPage.BITS, target, tally);
        }
      }
    } catch (OutOfMemoryError e) {
      CELL.getAndBitwiseOr(cells, MARKS, marks);
    }
    long drained = tally.count() - before;
    sumOwnerWanted = tally.isHot(drained);
    tally.endOfStripe(drained, Long.bitCount(marks & THREAD_MARKS));
  }

  private void releaseDeadOwner() {
    Thread owner = sumOwner;
    if (owner != null && !owner.isAlive()) {
      SUM_OWNER.setRelease(this, (Thread) null); // pairs with the compareAndSet of the next owner
    }
  }

  /** Moves the sum to {@code target}. Sampler thread only, after the counts. */
  void drainSum(ExactSum target) {
    long owned = (long) CELL.getVolatile(cells, OWNED_SUM);
    target.add(0, owned - (long) CELL.getVolatile(cells, OWNED_SUM_TAKEN));
    CELL.setVolatile(cells, OWNED_SUM_TAKEN, owned);
    target.add(0, (long) CELL.getAndSet(cells, SUM_LOW, 0L));
    addUpperHalves((long) CELL.getAndSet(cells, SUM_HIGH, 0L), target);
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
    int[][] table = (int[][]) PAGES.getVolatile(this);
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      int[] page = (int[]) PAGE.getVolatile(table, pageIndex);
      if (page != null) {
        CounterPage.copy(page, pageIndex << CounterPage.BITS, target, tally);
      }
    }
  }

  /** Adds a copy of the sum to {@code target}. Any thread, after the counts. */
  void copySum(ExactSum target) {
    long taken = (long) CELL.getVolatile(cells, OWNED_SUM_TAKEN); // first, as it follows the other
    target.add(0, (long) CELL.getVolatile(cells, OWNED_SUM) - taken);
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
      bytes += PAGE.getAcquire(table, pageIndex) == null ? 0 : CounterPage.BYTES;
    }
    return bytes;
  }
}
