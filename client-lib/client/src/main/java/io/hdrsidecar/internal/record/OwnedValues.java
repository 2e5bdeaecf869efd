package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The values of one thread, the owner: first a ring of them as they came, then counters of its own.
 *
 * <p><b>Why.</b> A service does other work between two values, and when it records the next one,
 * the lines of a series have left the caches. So what a value costs is the lines it touches one
 * after the other, as an atomic instruction lets no later load start. To put a value into a ring
 * touches two lines, the same ones for several values, and takes no atomic instruction. Each
 * {@value #CAPACITY} values the owner counts them all: these loads do not wait for each other, and
 * as nobody else counts there, neither do the additions.
 *
 * <p><b>Why it is exact.</b>
 *
 * <ul>
 *   <li>The ring is a queue of one producer and one consumer [1]. The owner writes a value, then
 *       the tail, by release; the consumer acquires the tail, reads values, then writes the head,
 *       by release; the owner acquires the head before it uses a place again. So each value is read
 *       once, after it was written and before it is overwritten.
 *   <li>The consumer is the thread that holds the token: the owner when the ring is full, or a
 *       reader. It is taken by compare-and-set and given back by release, so what a holder does to
 *       the head, the counters and the sums comes after all that the holder before did.
 *   <li>There is one owner at a time, as {@link OwnerSlot} says.
 *   <li>Nobody who records waits. An owner that meets a full ring and a token that is taken counts
 *       its value in the counters that all threads of the {@link Stripe} share.
 *   <li>Who harvests waits: the owner holds the token for a microsecond, or for as long as it is
 *       without a processor in the midst of it. After {@value #PATIENCE_MILLIS} ms the values stay
 *       for the next harvest.
 *   <li>The head moves with each value that was counted, whatever ends the counting. Without memory
 *       for a counter, values stay in the ring, from which a harvest takes them as well.
 * </ul>
 *
 * <p>Counts, sum and extremes of these values are harvested in one step, so they always fit.
 *
 * <p>Sources: [1] L. Lamport, "Specifying concurrent program modules", TOPLAS 5(2), 1983.
 */
final class OwnedValues extends OwnerSlot {
  static final int CAPACITY = 128;
  static final long PATIENCE_MILLIS = 1_000;
  private static final int MASK = CAPACITY - 1;
  private static final int SPINS = 64;
  private static final long LOW_HALF = 0xffff_ffffL;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  // Beside the length of the array, which is read for every value as well.
  private static final int TAIL = 0;
  private static final int LIMIT = 1;
  private static final int HEAD = 2;
  private static final int VALUES = 6; // with the header of the array, a line of 64 bytes before it
  private static final int CELLS = VALUES + CAPACITY + 8; // and one behind, as others write there
  private static final int CELL_BYTES = 16 + CELLS * Long.BYTES;
  private static final int OBJECT_BYTES = 72;
  private static final int SUM_BYTES = 32;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(OwnedValues.class, "held", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BucketLayout layout;

  /**
   * The ring and its ends: how many values were ever put there, what that may become before the
   * owner must look at the head again, and how many were taken out.
   */
  private final long[] cells = new long[CELLS];

  /** The token, through {@link #HELD}. */
  @SuppressWarnings("UnusedVariable")
  private boolean held;

  // What follows is the holder's: values that left the ring and were not harvested.
  private final OwnedCounts counts;
  private final ExactSum sum = new ExactSum();
  private long min = Stripe.NO_MIN;
  private long max = Stripe.NO_MAX;

  // And this the sampler's: the tail when all was harvested, and what is between two steps.
  private long harvested;
  private final ExactSum takenSum = new ExactSum();
  private long takenMin = Stripe.NO_MIN;
  private long takenMax = Stripe.NO_MAX;

  OwnedValues(BucketLayout layout, int counters, Thread owner) {
    super(owner);
    this.layout = layout;
    this.counts = new OwnedCounts(counters);
    this.cells[LIMIT] = CAPACITY;
  }

  @Override
  boolean record(long value) {
    long[] cells = this.cells;
    long tail = cells[TAIL];
    if (tail == cells[LIMIT] && !makeRoom(tail)) {
      return false;
    }
    cells[VALUES + ((int) tail & MASK)] = value;
    CELL.setRelease(cells, TAIL, tail + 1);
    return true;
  }

  private boolean makeRoom(long tail) {
    if (tail - (long) CELL.getAcquire(cells, HEAD) == CAPACITY && tryHold()) {
      try {
        count(tail);
      } finally {
        release();
      }
    }
    long limit = (long) CELL.getAcquire(cells, HEAD) + CAPACITY;
    cells[LIMIT] = limit;
    return tail != limit;
  }

  private boolean tryHold() {
    return HELD.compareAndSet(this, false, true);
  }

  private void release() {
    HELD.setRelease(this, false);
  }

  /** Takes the token, for a thread that may wait. */
  private boolean hold() {
    for (int spin = 0; spin < SPINS; spin++) {
      if (tryHold()) {
        return true;
      }
      Thread.onSpinWait();
    }
    long start = System.nanoTime();
    while (!tryHold()) {
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS); // the holder has lost its processor, maybe to us
    }
    return true;
  }

  /** Holder: from the ring to the counters, as long as there is memory for them. */
  private void count(long tail) {
    long first = cells[HEAD];
    long head = first;
    try {
      while (head != tail && counts.add(layout.indexOf(valueAt(head)))) {
        head++;
      }
    } finally {
      leaveRing(first, head);
    }
  }

  private long valueAt(long place) {
    return cells[VALUES + ((int) place & MASK)];
  }

  /** Holder: of values that were counted keeps the sum and the extremes, and frees their places. */
  private void leaveRing(long from, long to) {
    long lowHalves = 0;
    long highHalves = 0;
    long smallest = min;
    long largest = max;
    for (long place = from; place != to; place++) {
      long value = valueAt(place);
      lowHalves += value & LOW_HALF;
      highHalves += value >>> 32;
      smallest = Math.min(smallest, value);
      largest = Math.max(largest, value);
    }
    sum.add(lowHalves); // 128 of them do not overflow
    sum.add(highHalves >>> 32, highHalves << 32);
    min = smallest;
    max = largest;
    CELL.setRelease(cells, HEAD, to);
  }

  @Override
  boolean isHarvested() {
    return tail() == harvested && takenMin == Stripe.NO_MIN;
  }

  /**
   * The sum and the extremes go to where {@link #drainSum} and {@link #drainExtremes} find them.
   */
  @Override
  void drainCounts(PagedCounts target, HarvestTally tally) {
    if (tail() == harvested || !hold()) {
      return;
    }
    try {
      long tail = takeRing(target, tally);
      counts.drain(target, tally);
      harvested = tail;
    } finally {
      takenSum.add(sum);
      takenMin = Math.min(takenMin, min);
      takenMax = Math.max(takenMax, max);
      sum.clear();
      min = Stripe.NO_MIN;
      max = Stripe.NO_MAX;
      release();
    }
  }

  private long tail() {
    return (long) CELL.getAcquire(cells, TAIL);
  }

  /** Holder: from the ring to the target. */
  private long takeRing(PagedCounts target, HarvestTally tally) {
    long tail = tail();
    long first = cells[HEAD];
    long head = first;
    try {
      while (head != tail) {
        add(valueAt(head), target, tally);
        head++;
      }
    } finally {
      leaveRing(first, head);
    }
    return tail;
  }

  private void add(long value, PagedCounts target, HarvestTally tally) {
    int index = layout.indexOf(value);
    target.add(index, 1);
    tally.add(1, index, index);
  }

  @Override
  void drainSum(ExactSum target) {
    target.add(takenSum);
    takenSum.clear();
  }

  @Override
  void drainExtremes(Extremes target) {
    target.offer(takenMin, takenMax);
    takenMin = Stripe.NO_MIN;
    takenMax = Stripe.NO_MAX;
  }

  @Override
  void copyCounts(PagedCounts target, HarvestTally tally) {
    if (hold()) {
      try {
        long tail = tail();
        for (long place = cells[HEAD]; place != tail; place++) {
          add(valueAt(place), target, tally);
        }
        counts.copy(target, tally);
      } finally {
        release();
      }
    }
  }

  @Override
  void copySum(ExactSum target) {
    if (hold()) {
      try {
        long tail = tail();
        for (long place = cells[HEAD]; place != tail; place++) {
          target.add(valueAt(place));
        }
        target.add(sum);
      } finally {
        release();
      }
    }
  }

  @Override
  void copyExtremes(Extremes target) {
    if (hold()) {
      try {
        long tail = tail();
        for (long place = cells[HEAD]; place != tail; place++) {
          target.offer(valueAt(place), valueAt(place));
        }
        target.offer(min, max);
      } finally {
        release();
      }
    }
  }

  @Override
  long allocatedBytes() {
    return OBJECT_BYTES + CELL_BYTES + 2L * SUM_BYTES + counts.allocatedBytes();
  }
}
