package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.Stream;
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
 * own, {@link OwnerSlot}; all others share the pages. When that thread records no more here, but
 * others do, the sampler begins such values anew, for the first comer, and keeps the old ones in
 * sight: while their thread lives it may be about to write there, and nobody else may; when it has
 * ended, they are the next to be had. Growth changes nothing for an owner whose id now leads to
 * another stripe, either.
 *
 * <p><b>Access modes.</b> Counters, marks and sums change by atomic instructions (volatile).
 * Writers read a page and the table of pages by acquire, so that its publication, by
 * compare-and-exchange, happens before all they do with it; the sampler reads both as volatile,
 * which is the step of the proof that needs one order of all. Writers read the extremes opaque: a
 * writer that leaves an extreme as it is has read one at least as far out, and as each cell has one
 * order of its writes, the sampler, who swaps the extremes after it has swapped that writer's
 * count, takes that extreme with this harvest if it has not with an earlier one.
 */
abstract class Stripe {
  /** No value seen; as a minimum this is the neutral element. */
  static final long NO_MIN = Long.MAX_VALUE;

  /** No value seen; values are 0 or more. */
  static final long NO_MAX = -1;

  static final long LOW_HALF = 0xffff_ffffL;
  private static final long THREAD_MARKS = -1L << 32;
  private static final OwnerSlot[] NONE = {};

  /** So many threads may have owned values here and live on without recording. */
  private static final int MOST_FORMER = 4;

  // The sums are written for every value, the other cells seldom but read for every value:
  // 128 bytes (a pair of cache lines, as prefetched) keep them apart, and both from other objects.
  private static final int PADDING = 16;
  private static final int MIN = PADDING;
  private static final int MAX = MIN + 1;
  private static final int MARKS = MIN + 2;
  static final int SUM_LOW = MARKS + PADDING;
  static final int SUM_HIGH = SUM_LOW + 1;
  private static final int CELLS = SUM_HIGH + PADDING;
  private static final int CELL_BYTES = 16 + CELLS * Long.BYTES;
  private static final int OBJECT_BYTES = 48;

  static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle OWNED;

  static {
    try {
      OWNED = MethodHandles.lookup().findVarHandle(Stripe.class, "owned", OwnerSlot.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The extremes of the shared pages, their marks, and the sums of those on the heap. */
  final long[] cells = new long[CELLS];

  /** The values of the owner, through {@link #OWNED}. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable OwnerSlot owned;

  /** Those of former owners, and behind them the present ones; the sampler's. */
  private volatile OwnerSlot[] known = NONE;

  // Of the last harvest, and the sampler's: how many it took from the shared pages, the marks of
  // the threads that had counted there, and that of the owner, if it had recorded.
  private long sharedCount;
  private long sharedThreads;
  private long ownerMark;

  Stripe() {
    cells[MIN] = NO_MIN;
    cells[MAX] = NO_MAX;
  }

  /**
   * What the calling thread may put its values into; null when another thread may.
   *
   * @param thread the calling thread
   */
  @Nullable OwnerSlot ownedBy(Thread thread) {
    OwnerSlot values = (OwnerSlot) OWNED.getAcquire(this);
    if (values == null) {
      return createOwned(thread);
    }
    return values.isOwnedBy(thread) || values.becomeOwner(thread) ? values : null;
  }

  @Nullable OwnerSlot createOwned(Thread thread) {
    try {
      OwnerSlot created = newOwned(thread);
      return created != null && OWNED.compareAndSet(this, (OwnerSlot) null, created)
          ? created
          : null;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /** Whether there are values of an owner. */
  final boolean hasOwned() {
    return OWNED.getVolatile(this) != null;
  }

  /** What a thread may have for its own; null when there is no room. */
  abstract @Nullable OwnerSlot newOwned(Thread owner);

  /**
   * Counts a value in the shared pages: extremes, sum, count, marks, in this order.
   *
   * @param thread the calling thread
   * @return false when there was no memory for its page, and nothing was counted
   */
  abstract boolean record(int index, long value, int times, Thread thread);

  /** The first thing for each value. */
  final void widen(long value) {
    long[] cells = this.cells;
    if (value < (long) CELL.getOpaque(cells, MIN)) {
      lowerMin(value);
    }
    if (value > (long) CELL.getOpaque(cells, MAX)) {
      raiseMax(value);
    }
  }

  /** The last thing for each value. */
  final void mark(int pageIndex, Thread thread) {
    long marks = pageMark(pageIndex) | threadMark(thread);
    if (((long) CELL.getVolatile(cells, MARKS) & marks) != marks) {
      CELL.getAndBitwiseOr(cells, MARKS, marks);
    }
  }

  static long pageMark(int pageIndex) {
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
  void drainCounts(PagedCounts target, HarvestTally tally, Stripe shared) {
    long before = tally.count();
    long marks = 0;
    sharedCount = 0; // also if memory ends
    try {
      ownerMark = drainOwned(target, tally);
      long ofOwners = tally.count() - before;
      marks = takeMarks();
      drainShared(marks, target, tally);
      sharedThreads = marks & THREAD_MARKS;
      sharedCount = tally.count() - before - ofOwners;
      if (ofOwners == 0 && shared.sharedCount >= OwnedValues.CAPACITY) {
        beginOwnedAnew();
      }
    } catch (OutOfMemoryError e) {
      CELL.getAndBitwiseOr(cells, MARKS, marks);
    }
  }

  /**
   * Whether threads were in each other's way since the harvest before: in the shared pages of some
   * stripe one counted that owns no place of it, and was not alone. An owner counts there only
   * while a harvest empties its ring.
   *
   * @param places of owners; the shared pages are in the first of them
   * @param hotCount so many values are worth the memory of more stripes
   */
  static boolean areContended(Stripe[] places, int stripes, long hotCount) {
    for (int i = 0; i < stripes; i++) {
      Stripe shared = places[i];
      long owners = shared.ownerMark | places[places.length - stripes + i].ownerMark;
      long guests = shared.sharedThreads & ~owners;
      if (guests != 0 && Long.bitCount(guests | owners) > 1 && shared.sharedCount >= hotCount) {
        return true;
      }
    }
    return false;
  }

  private long takeMarks() {
    return (long) CELL.getVolatile(cells, MARKS) == 0 ? 0 : (long) CELL.getAndSet(cells, MARKS, 0L);
  }

  /** Returns the mark of the owner, if it has recorded. */
  private long drainOwned(PagedCounts target, HarvestTally tally) {
    OwnerSlot present = (OwnerSlot) OWNED.getVolatile(this);
    if (present != null && !isKnown(present)) {
      known = with(present);
    }
    long before = tally.count();
    for (OwnerSlot values : known) {
      values.drainCounts(target, tally);
    }
    if (present == null) {
      return 0;
    }
    Thread owner = present.owner();
    present.releaseDeadOwner();
    return owner != null && tally.count() > before ? threadMark(owner) : 0;
  }

  private boolean isKnown(OwnerSlot values) {
    return known.length > 0 && known[known.length - 1] == values;
  }

  private OwnerSlot[] with(OwnerSlot values) {
    OwnerSlot[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = values;
    return more;
  }

  /**
   * Its thread records no more, or elsewhere: lets another one have what it had, or better what a
   * thread had that has ended, as places in a file are never given back. A former owner that lives
   * stays that for ever, so that nobody can begin to write where the sampler has ceased to look.
   */
  private void beginOwnedAnew() {
    OwnerSlot present = (OwnerSlot) OWNED.getVolatile(this);
    if (present == null || !isKnown(present) || !present.isOwnerAlive()) {
      return;
    }
    for (OwnerSlot former : known) {
      if (former != present && !former.isOwnerAlive() && former.isHarvested()) {
        former.releaseDeadOwner();
        known = withLast(former);
        OWNED.setVolatile(this, former);
        return;
      }
    }
    if (known.length <= MOST_FORMER) {
      OWNED.setVolatile(this, (OwnerSlot) null);
    }
  }

  /** Where the present ones stand. */
  private OwnerSlot[] withLast(OwnerSlot values) {
    return Stream.concat(Arrays.stream(known).filter(v -> v != values), Stream.of(values))
        .toArray(OwnerSlot[]::new);
  }

  /** Moves the counts of marked pages to {@code target}. Sampler thread only. */
  abstract void drainShared(long marks, PagedCounts target, HarvestTally tally);

  /** Moves the sum to {@code target}. Sampler thread only, after the counts. */
  final void drainSum(ExactSum target) {
    for (OwnerSlot values : known) {
      values.drainSum(target);
    }
    drainSharedSum(target);
  }

  /** That of the shared pages. */
  abstract void drainSharedSum(ExactSum target);

  static void addHalves(long lowHalves, long highHalves, ExactSum target) {
    target.add(0, lowHalves);
    target.add(highHalves >>> 32, highHalves << 32);
  }

  /** Moves the extremes to {@code target}. Sampler thread only, after the counts. */
  void drainExtremes(Extremes target) {
    for (OwnerSlot values : known) {
      values.drainExtremes(target);
    }
    target.offer(
        (long) CELL.getAndSet(cells, MIN, NO_MIN), (long) CELL.getAndSet(cells, MAX, NO_MAX));
  }

  /** Adds a copy of all counts to {@code target}. Any thread. */
  final void copyCounts(PagedCounts target, HarvestTally tally) {
    copyShared(target, tally);
    for (OwnerSlot values : allOwned()) {
      values.copyCounts(target, tally);
    }
  }

  /** Those of the shared pages. */
  abstract void copyShared(PagedCounts target, HarvestTally tally);

  /** Adds a copy of the sum to {@code target}. Any thread, after the counts. */
  final void copySum(ExactSum target) {
    copySharedSum(target);
    for (OwnerSlot values : allOwned()) {
      values.copySum(target);
    }
  }

  /** That of the shared pages. */
  abstract void copySharedSum(ExactSum target);

  /** Offers the extremes to {@code target}. Any thread, after the counts. */
  void copyExtremes(Extremes target) {
    target.offer((long) CELL.getVolatile(cells, MIN), (long) CELL.getVolatile(cells, MAX));
    for (OwnerSlot values : allOwned()) {
      values.copyExtremes(target);
    }
  }

  private OwnerSlot[] allOwned() {
    OwnerSlot present = (OwnerSlot) OWNED.getVolatile(this);
    return present == null || isKnown(present) ? known : with(present);
  }

  /** Memory, in bytes, on a JVM with compressed references. */
  final long allocatedBytes() {
    long bytes = OBJECT_BYTES + CELL_BYTES + sharedBytes();
    for (OwnerSlot values : allOwned()) {
      bytes += values.allocatedBytes();
    }
    return bytes;
  }

  /** That of the shared pages. */
  abstract long sharedBytes();
}
