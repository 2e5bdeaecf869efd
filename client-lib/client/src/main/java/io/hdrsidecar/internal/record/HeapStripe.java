package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Counters on the heap, which a harvest swaps with 0. */
final class HeapStripe extends Stripe {
  private static final int[][] NO_PAGES = {};
  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(int[][].class);
  private static final VarHandle PAGES;

  static {
    try {
      PAGES = MethodHandles.lookup().findVarHandle(HeapStripe.class, "pages", int[][].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BucketLayout layout;
  private final int counters;

  /**
   * All slots, once there is a first page; each goes from null to its page once. A thread that
   * still reads null is told by the compare-and-exchange.
   */
  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // accessed through PAGES
  private int[][] pages = NO_PAGES;

  HeapStripe(BucketLayout layout, int counters) {
    this.layout = layout;
    this.counters = counters;
  }

  @Override
  OwnerSlot newOwned(Thread owner) {
    return new OwnedValues(layout, counters, owner);
  }

  @Override
  boolean record(int index, long value, int times, Thread thread) {
    int pageIndex = index >>> AtomicPage.BITS;
    int[] page = pageAt(pageIndex);
    if (page == null) {
      page = createPage(pageIndex);
      if (page == null) {
        return false;
      }
    }
    widen(value);
    long[] cells = this.cells;
    if (value >>> 32 != 0) {
      CELL.getAndAdd(cells, SUM_LOW, (value & LOW_HALF) * times);
      CELL.getAndAdd(cells, SUM_HIGH, (value >>> 32) * times);
    } else {
      CELL.getAndAdd(cells, SUM_LOW, value * times);
    }
    AtomicPage.add(page, index, times);
    mark(pageIndex, thread);
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
        int[][] created = new int[(counters + AtomicPage.SIZE - 1) >>> AtomicPage.BITS][];
        int[][] winner = (int[][]) PAGES.compareAndExchange(this, NO_PAGES, created);
        table = winner == NO_PAGES ? created : winner;
      }
      int[] created = AtomicPage.create();
      int[] winner = (int[]) PAGE.compareAndExchange(table, pageIndex, (int[]) null, created);
      return winner == null ? created : winner;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  @Override
  void drainShared(long marks, PagedCounts target, HarvestTally tally) {
    int[][] table = (int[][]) PAGES.getVolatile(this);
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      int[] page = (int[]) PAGE.getVolatile(table, pageIndex);
      if (page != null && (marks & pageMark(pageIndex)) != 0) {
        AtomicPage.drain(page, pageIndex << AtomicPage.BITS, target, tally);
      }
    }
  }

  @Override
  void drainSharedSum(ExactSum target) {
    long low = (long) CELL.getAndSet(cells, SUM_LOW, 0L);
    addHalves(low, (long) CELL.getAndSet(cells, SUM_HIGH, 0L), target);
  }

  @Override
  void copyShared(PagedCounts target, HarvestTally tally) {
    int[][] table = (int[][]) PAGES.getVolatile(this);
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      int[] page = (int[]) PAGE.getVolatile(table, pageIndex);
      if (page != null) {
        AtomicPage.copy(page, pageIndex << AtomicPage.BITS, target, tally);
      }
    }
  }

  @Override
  void copySharedSum(ExactSum target) {
    long low = (long) CELL.getVolatile(cells, SUM_LOW);
    addHalves(low, (long) CELL.getVolatile(cells, SUM_HIGH), target);
  }

  @Override
  long sharedBytes() {
    int[][] table = (int[][]) PAGES.getAcquire(this);
    long bytes = 16; // its own fields
    if (table.length > 0) {
      bytes += 16 + (4L * table.length + 7) / 8 * 8;
    }
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      bytes += PAGE.getAcquire(table, pageIndex) == null ? 0 : AtomicPage.BYTES;
    }
    return bytes;
  }
}
