package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the values of one series, from any number of threads, for a few nanoseconds each.
 *
 * <p><b>Idea.</b> Counters in HdrHistogram's index order, in pages created when first touched. To
 * record is to compute an index and add 1 to a counter; to harvest is to swap every non-zero
 * counter with 0. Under contention the counters are striped: a writer picks a stripe by its thread
 * id, and the sampler, who sees how hot a stripe is, doubles the stripes of a hot series [1, 2].
 * Two threads of each stripe, the first to come by the next bit of their ids, need not take part in
 * that: each keeps its values in a queue and counters of its own, {@link OwnerSlot}, which is
 * cheaper still.
 *
 * <p><b>Every value is in exactly one interval.</b> {@link OwnedValues} shows it for the values of
 * owners; for those in shared counters:
 *
 * <ul>
 *   <li>A count is added by one atomic add and taken by one atomic swap. Both are total on a
 *       counter: the swap that next follows the add takes the count, and leaves 0 for later ones.
 *       So no count is in two intervals.
 *   <li>No counter leaves the sampler's sight. A page is published by compare-and-exchange on its
 *       slot, once; who loses uses the winner's page. A grown array of stripes holds the old
 *       stripes in the first places, so a writer that still holds the old array counts where the
 *       sampler looks. Pages and stripes are never taken away.
 *   <li>No counter is skipped while it holds a finished record. A writer publishes its page, or
 *       acquires it from its writer, adds to the counter, looks for its page's mark, and sets it
 *       where it is missing, in this order; the sampler clears the marks, looks up the pages, and
 *       reads the counters of marked pages. Publication, addition, look and setting, clearing,
 *       look-up and reading are volatile accesses, hence in one total order that agrees with
 *       happens-before: either the writer finds the mark missing and sets it for the next harvest,
 *       or it finds it set; then its page and its count came before the clearing to come, and the
 *       look-up and the scan that follow the clearing meet both.
 * </ul>
 *
 * <p>The edge between two intervals is as soft as the harvest is long: of two values recorded
 * during it either one may go to the next interval. Totals are exact.
 *
 * <p><b>Sum, minimum and maximum.</b> A writer updates extremes, then the sum, then the count; the
 * sampler takes counts, then sums, then extremes. So by the time a value's count is harvested, its
 * part of the sum has been harvested too, then or before. The sum of one interval can be off by the
 * values that were between both steps at its start or end; over all intervals it is exact. {@link
 * Stripe} says how a sum is kept, and {@link Extremes} why minimum and maximum are exact, too.
 *
 * <p><b>Bounds.</b> Counters are unsigned ints, and sums are kept in halves of 32 bits, so a stripe
 * must be harvested before it has recorded 2<sup>32</sup> values: a single thread that does nothing
 * else needs some 15 seconds for that. The client harvests each second, however long its interval.
 *
 * <p>Sources: [1] D. Dice, Y. Lev, M. Moir, "Scalable statistics counters", SPAA 2013. [2] {@code
 * java.util.concurrent.atomic.Striped64}, which grows on the writer's side instead. [3] G. Tene,
 * HdrHistogram 2.2, {@code AbstractHistogram} for the index and {@code WriterReaderPhaser} for the
 * other way to the same law: two copies, flipped.
 */
public final class SeriesRecorder implements IntervalSource {
  private static final VarHandle STRIPES;

  static {
    try {
      STRIPES =
          MethodHandles.lookup().findVarHandle(SeriesRecorder.class, "stripes", Stripe[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int OBJECT_BYTES = 64 + 16;
  private static final int TALLY_BYTES = 48 + 16 + AtomicPage.SIZE;
  private static final int EXTREMES_BYTES = 96;
  private static final int ATOMIC_LONG_BYTES = 24;

  private final BucketLayout layout;
  private final long highestTrackableValue;
  private final int counters;
  private final int maxStripes;
  private final long hotCount;
  private final AtomicLong clampedNegative = new AtomicLong();
  private final AtomicLong clampedTooLarge = new AtomicLong();
  private final AtomicLong lostForMemory = new AtomicLong();
  private final @Nullable CrashSeries crash;
  private final @Nullable LongConsumer overflow; // for the heap: none
  private final HarvestTally tally = new HarvestTally(); // the sampler's
  private final Extremes extremes; // the sampler's

  /** 1: two owners a stripe. 0: one. */
  private final int ownerBits;

  /**
   * Places of owners; the counters of all are in the first of them, one for each stripe. Written by
   * the sampler only, through {@link #STRIPES} once the first writer may be there.
   */
  private Stripe[] stripes;

  /**
   * Ways to the values of owners that do not lead through their places, while there is one stripe,
   * by the lowest bit of the thread's id; plain reads will do, as for the owner itself.
   */
  private @Nullable OwnerSlot evenOwned;

  private @Nullable OwnerSlot oddOwned;

  private final SlowestTrace slowest = new SlowestTrace();

  /**
   * A recorder that stripes as suits this machine.
   *
   * @param highestTrackableValue larger values count as this one; at least twice the layout's
   *     lowest discernible value
   * @throws IllegalArgumentException when it is less
   */
  public SeriesRecorder(BucketLayout layout, long highestTrackableValue) {
    this(layout, highestTrackableValue, Striping.forThisMachine());
  }

  /**
   * A recorder that stripes as told.
   *
   * @param highestTrackableValue larger values count as this one; at least twice the layout's
   *     lowest discernible value
   * @throws IllegalArgumentException when it is less
   */
  public SeriesRecorder(BucketLayout layout, long highestTrackableValue, Striping striping) {
    this(layout, highestTrackableValue, striping, null, null);
  }

  /**
   * A recorder whose counters outlive the process.
   *
   * @param overflow takes the values, in range, for which the file has no room
   */
  public SeriesRecorder(
      BucketLayout layout, long highestTrackableValue, CrashSeries crash, LongConsumer overflow) {
    this(layout, highestTrackableValue, Striping.forThisMachine().withOneOwner(), crash, overflow);
  }

  private SeriesRecorder(
      BucketLayout layout,
      long highestTrackableValue,
      Striping striping,
      @Nullable CrashSeries crash,
      @Nullable LongConsumer overflow) {
    this.counters = layout.countersUpTo(highestTrackableValue);
    this.layout = layout;
    this.highestTrackableValue = highestTrackableValue;
    this.maxStripes = striping.maxStripes();
    this.hotCount = striping.hotCount();
    this.extremes = Extremes.ofAllHarvests(layout);
    this.crash = crash;
    this.overflow = overflow;
    this.ownerBits = striping.owners() - 1;
    this.stripes = new Stripe[striping.initialStripes() << ownerBits];
    Arrays.setAll(stripes, i -> newStripe());
  }

  private Stripe newStripe() {
    return crash == null ? new HeapStripe(layout, counters) : new MappedStripe(layout, crash);
  }

  /**
   * Counts a value.
   *
   * <p>Any thread; never blocks, throws or logs; allocates only with the first value of an owner
   * (1.5 KiB) and the first value on a page of counters (1 KiB, of an owner's 272 bytes).
   *
   * @param value in the unit of the series; a negative one counts as 0, one above the highest
   *     trackable value as that, and either is counted as clamped
   */
  public void record(long value) {
    add(value, 1);
  }

  /**
   * Counts a value and remembers its trace while it is the slowest since the last harvest.
   * Allocates one small object when it is; otherwise as {@link #record}.
   *
   * <p>The trace is offered before the value is counted, and harvested after the counts. So when a
   * value's count is harvested its trace has been harvested too, then or before.
   *
   * @param millis the time, milliseconds since the epoch; asked for only when it is needed
   * @param traceId 1 to 64 visible ASCII characters
   * @param spanId 0 to 32 of them; with other ids the value is counted and no trace remembered
   */
  public void record(long value, String traceId, String spanId, LongSupplier millis) {
    slowest.offer(Math.min(Math.max(value, 0), highestTrackableValue), traceId, spanId, millis);
    add(value, 1);
  }

  /**
   * Counts a value. Not private, as tests fill counters up to their end, and get past an owner.
   *
   * @param times 1; of tests any number above 0, which goes to the shared counters at once
   */
  void add(long value, int times) {
    long inRange = value;
    if (Long.compareUnsigned(value, highestTrackableValue) > 0) { // negative ones as well
      inRange = clamp(value, times);
    }
    Thread thread = Thread.currentThread();
    OwnerSlot values = (thread.getId() & 1) == 0 ? evenOwned : oddOwned;
    if (times != 1 || values == null || !values.isOwnedBy(thread) || !values.record(inRange)) {
      addToStripe(inRange, times, thread);
    }
  }

  private void addToStripe(long value, int times, Thread thread) {
    // Pairs with the setRelease in grow(): who sees the new array sees what its stripes hold.
    Stripe[] all = (Stripe[]) STRIPES.getAcquire(this);
    int place = (int) thread.getId() & (all.length - 1);
    if (times == 1 && addToOwned(all, place, value, thread)) {
      return;
    }
    Stripe stripe = all[place & (stripesOf(all) - 1)];
    if (!stripe.record(layout.indexOf(value), value, times, thread)) {
      overflow(value, times);
    }
  }

  private boolean addToOwned(Stripe[] all, int place, long value, Thread thread) {
    OwnerSlot values = all[place].ownedBy(thread);
    if (values == null || !values.record(value)) {
      return false;
    }
    if (stripesOf(all) == 1) { // owners of several stripes would take turns
      rememberOwned(values, thread);
    }
    return true;
  }

  private void rememberOwned(OwnerSlot values, Thread thread) {
    if ((thread.getId() & 1) != 0) {
      oddOwned = values;
    } else {
      evenOwned = values;
    }
  }

  private int stripesOf(Stripe[] all) {
    return all.length >> ownerBits;
  }

  private void overflow(long value, int times) {
    if (overflow == null) {
      lostForMemory.addAndGet(times);
    } else {
      for (int i = 0; i < times; i++) {
        overflow.accept(value);
      }
    }
  }

  private long clamp(long value, int times) {
    if (value < 0) {
      clampedNegative.addAndGet(times);
      return 0;
    }
    clampedTooLarge.addAndGet(times);
    return highestTrackableValue;
  }

  /**
   * Moves everything recorded since the last harvest to {@code target}, and decides whether this
   * series gets more stripes.
   *
   * <p>One thread at a time, the sampler. The minimum and maximum of what is moved lie in its
   * lowest and highest non-zero bucket; they and the sum are exact but for values whose recording
   * was under way at the start or end of the interval. Allocates nothing once the target has its
   * pages.
   *
   * @return number of values moved; 0 leaves the target as it is
   * @throws IllegalArgumentException when the target has another layout; nothing is moved
   */
  @Override
  public long harvestInto(Accumulation target) {
    requireSameLayout(target);
    Stripe[] all = stripes;
    int mask = stripesOf(all) - 1;
    if (mask > 0) { // their owners may belong elsewhere now, and keep other threads from a place
      evenOwned = null;
      oddOwned = null;
    }
    tally.clear();
    for (int place = 0; place < all.length; place++) {
      all[place].drainCounts(target.counts(), tally, all[place & mask]);
    }
    if (tally.count() > 0) {
      extremes.begin(tally.lowIndex(), tally.highIndex());
      for (Stripe stripe : all) {
        stripe.drainSum(target.sum());
        stripe.drainExtremes(extremes);
      }
      target.widen(extremes.min(), extremes.max());
      target.offer(slowest.take());
      if (mask + 1 < maxStripes && Stripe.areContended(all, mask + 1, hotCount)) {
        grow(all);
      }
    }
    return tally.count();
  }

  private void grow(Stripe[] all) {
    try {
      Stripe[] grown = Arrays.copyOf(all, all.length * 2);
      for (int i = all.length; i < grown.length; i++) {
        grown[i] = newStripe();
      }
      STRIPES.setRelease(this, grown); // pairs with the getAcquire of writers and other readers
    } catch (OutOfMemoryError e) {
      // Nothing is lost but speed: the next harvest tries again.
    }
  }

  /**
   * Adds a copy of what is recorded and not yet harvested to {@code target}; takes nothing.
   *
   * <p>Any thread. While a harvest is under way it sees any part of what is being moved.
   *
   * @throws IllegalArgumentException when the target has another layout
   */
  public void snapshotInto(Accumulation target) {
    requireSameLayout(target);
    Stripe[] all = (Stripe[]) STRIPES.getAcquire(this);
    HarvestTally copied = new HarvestTally();
    copied.clear();
    for (Stripe stripe : all) {
      stripe.copyCounts(target.counts(), copied);
    }
    if (copied.count() > 0) {
      Extremes seen = Extremes.ofSnapshot(layout, highestTrackableValue);
      seen.begin(copied.lowIndex(), copied.highIndex());
      for (Stripe stripe : all) {
        stripe.copySum(target.sum());
        stripe.copyExtremes(seen);
      }
      target.widen(seen.min(), seen.max());
    }
  }

  private void requireSameLayout(Accumulation target) {
    if (!target.counts().layout().equals(layout)) {
      throw new IllegalArgumentException(
          "target must have the layout " + layout + ": " + target.counts().layout());
    }
  }

  @Override
  public @Nullable CrashSeries crashSeries() {
    return crash;
  }

  /** How many values were negative and counted as 0, since the start. Any thread. */
  @Override
  public long clampedNegative() {
    return clampedNegative.get();
  }

  /**
   * How many values were above the highest trackable value and counted as that, since the start.
   * Any thread.
   */
  @Override
  public long clampedTooLarge() {
    return clampedTooLarge.get();
  }

  /** How many values were not counted because the heap had no room for their page. Any thread. */
  @Override
  public long lostForMemory() {
    return lostForMemory.get();
  }

  /** Counters are kept this many times, by contention. Any thread. */
  public int stripes() {
    return stripesOf((Stripe[]) STRIPES.getAcquire(this));
  }

  /**
   * Memory of this recorder without its layout, in bytes, on a JVM with compressed references. Any
   * thread.
   */
  public long allocatedBytes() {
    Stripe[] all = (Stripe[]) STRIPES.getAcquire(this);
    long bytes = OBJECT_BYTES + TALLY_BYTES + EXTREMES_BYTES + 3L * ATOMIC_LONG_BYTES;
    bytes += crash == null ? 0 : AtomicPage.BYTES; // of the tally
    bytes += 16 + (4L * all.length + 7) / 8 * 8;
    for (Stripe stripe : all) {
      bytes += stripe.allocatedBytes();
    }
    return bytes;
  }
}
