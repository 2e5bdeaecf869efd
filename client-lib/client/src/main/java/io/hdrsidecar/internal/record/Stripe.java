package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
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
 * <p><b>Owners.</b> A stripe that most values of one thread fall on need not ask for the atomic
 * instructions that several threads need. So one of its threads has a queue and counters of its
 * own, {@link OwnedValues}; all others share the pages. When that thread records no more here, but
 * others do, the sampler begins such values anew, for who comes first, and keeps the old ones in
 * sight while their thread lives: it may be about to write there, and nobody else may. Growth
 * changes nothing for an owner whose id now leads to another stripe, either.
 *
 * <p><b>Access modes.</b> Counters, marks and sums change by atomic instructions (volatile).
 * Writers read a page and the table of pages by acquire, so that its publication, by
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
  private static final OwnedValues[] NONE = {};

  /** So many threads may have owned values here and live on without recording. */
  private static final int MOST_FORMER = 4;

  // The sums are written for every value, the other cells seldom but read for every value:
  // 128 bytes (a pair of cache lines, as prefetched) keep them apart, and both from other objects.
  private static final int PADDING = 16;
  private static final int MIN = PADDING;
  private static final int MAX = MIN + 1;
  private static final int MARKS = MIN + 2;
  private static final int SUM_LOW = MARKS + PADDING;
  private static final int SUM_HIGH = SUM_LOW + 1;
  private static final int CELLS = SUM_HIGH + PADDING;
  private static final int CELL_BYTES = 16 + CELLS * Long.BYTES;
  private static final int OBJECT_BYTES = 32;

  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(int[][].class);
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PAGES;
  private static final VarHandle OWNED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PAGES = lookup.findVarHandle(Stripe.class, "pages", int[][].class);
      OWNED = lookup.findVarHandle(Stripe.class, "owned", OwnedValues.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BucketLayout layout;
  private final int counters;
  private final long[] cells = new long[CELLS];

  /**
   * All slots, once there is a first page; each goes from null to its page once. Who still reads
   * null is told by the compare-and-exchange.
   */
  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // accessed through PAGES
  private int[][] pages = NO_PAGES;

  /** The values of the owner, through {@link #OWNED}. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable OwnedValues owned;

  /** Those of former owners that live, and behind them the present ones; the sampler's. */
  private volatile OwnedValues[] known = NONE;

  Stripe(BucketLayout layout, int counters) {
    this.layout = layout;
    this.counters = counters;
    cells[MIN] = NO_MIN;
    cells[MAX] = NO_MAX;
  }

  /**
   * What the calling thread may put its values into; null when another thread may.
   *
   * @param thread the calling thread
   */
  @Nullable OwnedValues ownedBy(Thread thread) {
    OwnedValues values = (OwnedValues) OWNED.getAcquire(this);
    if (values == null) {
      return createOwned(thread);
    }
    return values.isOwnedBy(thread) || values.becomeOwner(thread) ? values : null;
  }

  private @Nullable OwnedValues createOwned(Thread thread) {
    try {
      OwnedValues created = new OwnedValues(layout, counters, thread);
      return OWNED.compareAndSet(this, (OwnedValues) null, created) ? created : null;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Counts a value in the shared pages: extremes, sum, count, marks, in this order.
   *
   * @param thread the calling thread
   * @return false when there was no memory for its page, and nothing was counted
   */
  boolean record(int index, long value, int times, Thread thread) {
    int pageIndex = index >>> AtomicPage.BITS;
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
    } else {
      CELL.getAndAdd(cells, SUM_LOW, value * times);
    }
    AtomicPage.add(page, index, times);
    long marks = pageMark(pageIndex) | threadMark(thread);
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

  private static long pageMark(int pageIndex) {
    return 1L << (pageIndex & 31);
  }

  private static long threadMark(Thread thread) {
    return 1L << 32 << (thread.getId() & 31);
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
  void drainCounts(PagedCounts target, HarvestTally tally) {
    long before = tally.count();
    long marks = 0;
    try {
      long ownerMark = drainOwned(target, tally);
      long ofOwners = tally.count() - before;
      marks = takeMarks();
      drainShared(marks, target, tally);
      long drained = tally.count() - before;
      tally.endOfStripe(drained, Long.bitCount((marks | ownerMark) & THREAD_MARKS));
      if (ofOwners == 0 && drained >= OwnedValues.CAPACITY) {
        beginOwnedAnew();
      }
    } catch (OutOfMemoryError e) {
      CELL.getAndBitwiseOr(cells, MARKS, marks);
    }
  }

  private long takeMarks() {
    return (long) CELL.getVolatile(cells, MARKS) == 0 ? 0 : (long) CELL.getAndSet(cells, MARKS, 0L);
  }

  /** Returns the mark of the owner, if it has recorded. */
  private long drainOwned(PagedCounts target, HarvestTally tally) {
    OwnedValues present = (OwnedValues) OWNED.getVolatile(this);
    if (present != null && !isKnown(present)) {
      known = with(present);
    }
    long before = tally.count();
    for (OwnedValues values : known) {
      values.drainCounts(target, tally);
    }
    if (present == null) {
      return 0;
    }
    Thread owner = present.owner();
    present.releaseDeadOwner();
    return owner != null && tally.count() > before ? threadMark(owner) : 0;
  }

  private boolean isKnown(OwnedValues values) {
    return known.length > 0 && known[known.length - 1] == values;
  }

  private OwnedValues[] with(OwnedValues values) {
    OwnedValues[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = values;
    return more;
  }

  /**
   * Its thread records no more, or elsewhere: lets another one have what it had. The owner of
   * former values stays that for ever, so that nobody can begin to write where the sampler has
   * ceased to look.
   */
  private void beginOwnedAnew() {
    OwnedValues present = (OwnedValues) OWNED.getVolatile(this);
    known =
        Arrays.stream(known)
            .filter(v -> v == present || v.isOwnerAlive() || !v.isHarvested())
            .toArray(OwnedValues[]::new);
    if (present != null
        && isKnown(present)
        && present.isOwnerAlive()
        && known.length <= MOST_FORMER) {
      OWNED.setVolatile(this, (OwnedValues) null);
    }
  }

  private void drainShared(long marks, PagedCounts target, HarvestTally tally) {
    int[][] table = (int[][]) PAGES.getVolatile(this);
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      int[] page = (int[]) PAGE.getVolatile(table, pageIndex);
      if (page != null && (marks & pageMark(pageIndex)) != 0) {
        AtomicPage.drain(page, pageIndex << AtomicPage.BITS, target, tally);
      }
    }
  }

  /** Moves the sum to {@code target}. Sampler thread only, after the counts. */
  void drainSum(ExactSum target) {
    for (OwnedValues values : known) {
      values.drainSum(target);
    }
    target.add(0, (long) CELL.getAndSet(cells, SUM_LOW, 0L));
    addUpperHalves((long) CELL.getAndSet(cells, SUM_HIGH, 0L), target);
  }

  private static void addUpperHalves(long upperHalves, ExactSum target) {
    target.add(upperHalves >>> 32, upperHalves << 32);
  }

  /** Moves the extremes to {@code target}. Sampler thread only, after the counts. */
  void drainExtremes(Extremes target) {
    for (OwnedValues values : known) {
      values.drainExtremes(target);
    }
    target.offer(
        (long) CELL.getAndSet(cells, MIN, NO_MIN), (long) CELL.getAndSet(cells, MAX, NO_MAX));
  }

  /** Adds a copy of all counts to {@code target}. Any thread. */
  void copyCounts(PagedCounts target, HarvestTally tally) {
    int[][] table = (int[][]) PAGES.getVolatile(this);
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      int[] page = (int[]) PAGE.getVolatile(table, pageIndex);
      if (page != null) {
        AtomicPage.copy(page, pageIndex << AtomicPage.BITS, target, tally);
      }
    }
    for (OwnedValues values : allOwned()) {
      values.copyCounts(target, tally);
    }
  }

  /** Adds a copy of the sum to {@code target}. Any thread, after the counts. */
  void copySum(ExactSum target) {
    target.add(0, (long) CELL.getVolatile(cells, SUM_LOW));
    addUpperHalves((long) CELL.getVolatile(cells, SUM_HIGH), target);
    for (OwnedValues values : allOwned()) {
      values.copySum(target);
    }
  }

  /** Offers the extremes to {@code target}. Any thread, after the counts. */
  void copyExtremes(Extremes target) {
    target.offer((long) CELL.getVolatile(cells, MIN), (long) CELL.getVolatile(cells, MAX));
    for (OwnedValues values : allOwned()) {
      values.copyExtremes(target);
    }
  }

  private OwnedValues[] allOwned() {
    OwnedValues present = (OwnedValues) OWNED.getVolatile(this);
    return present == null || isKnown(present) ? known : with(present);
  }

  /** Memory, in bytes, on a JVM with compressed references. */
  long allocatedBytes() {
    int[][] table = (int[][]) PAGES.getAcquire(this);
    long bytes = OBJECT_BYTES + CELL_BYTES;
    if (table.length > 0) {
      bytes += 16 + (4L * table.length + 7) / 8 * 8;
    }
    for (int pageIndex = 0; pageIndex < table.length; pageIndex++) {
      bytes += PAGE.getAcquire(table, pageIndex) == null ? 0 : AtomicPage.BYTES;
    }
    for (OwnedValues values : allOwned()) {
      bytes += values.allocatedBytes();
    }
    return bytes;
  }
}
