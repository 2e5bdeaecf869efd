package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.crash.CrashArea;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The values of one thread, the owner, counted in a file as they come. A ring, as {@link
 * OwnedValues} has it, would have to be emptied into counters by somebody who may die over it; and
 * nobody else writes here, so to count is as cheap as to keep.
 *
 * <p>The extremes are on the heap, for harvests: the owner widens them before it counts, and leaves
 * them alone when they are as wide; the sampler takes them after the counts, as {@link Extremes}
 * expects.
 */
final class MappedValues extends OwnerSlot {
  private static final int OBJECT_BYTES = 64;
  private static final VarHandle MIN;
  private static final VarHandle MAX;
  private static final VarHandle MARK = MethodHandles.arrayElementVarHandle(byte[].class);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MIN = lookup.findVarHandle(MappedValues.class, "min", long.class);
      MAX = lookup.findVarHandle(MappedValues.class, "max", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BucketLayout layout;
  private final CrashArea area;
  private final MappedCounts counts;

  /** The owner's: where its pages are, as it alone makes them. */
  private final int[] pages;

  @SuppressWarnings("UnusedVariable") // through MIN
  private long min = Stripe.NO_MIN;

  @SuppressWarnings("UnusedVariable") // through MAX
  private long max = Stripe.NO_MAX;

  /**
   * Of each page whether something was counted there since the last harvest, through {@link #MARK}.
   * The owner counts, then marks, by release each; the sampler takes a mark by an atomic swap, then
   * looks at the page. A count that it does not find is followed by a mark that it has not taken.
   */
  private final byte[] marks;

  MappedValues(BucketLayout layout, CrashArea area, Thread owner) {
    super(owner);
    this.layout = layout;
    this.area = area;
    this.counts = new MappedCounts(area);
    this.pages = new int[area.pages()];
    this.marks = new byte[area.pages()];
  }

  @Override
  boolean record(long value) {
    int index = layout.indexOf(value);
    int number = index >>> AtomicPage.BITS;
    int page = pages[number];
    if (page == 0) {
      page = area.createPage(number);
      if (page == 0) {
        return false;
      }
      pages[number] = page;
    }
    if (value < (long) MIN.getOpaque(this)) {
      MIN.setOpaque(this, value);
    }
    if (value > (long) MAX.getOpaque(this)) {
      MAX.setOpaque(this, value);
    }
    area.countOwned(page, index, value);
    MARK.setRelease(marks, number, (byte) 1);
    return true;
  }

  @Override
  boolean isHarvested() {
    return counts.isAsSeen() && (long) MIN.getVolatile(this) == Stripe.NO_MIN;
  }

  @Override
  void drainCounts(PagedCounts target, HarvestTally tally) {
    for (int number = 0; number < marks.length; number++) {
      if ((byte) MARK.getOpaque(marks, number) != 0) {
        MARK.getAndSet(marks, number, (byte) 0);
        drain(number, target, tally);
      }
    }
  }

  private void drain(int number, PagedCounts target, HarvestTally tally) {
    try {
      counts.drain(number, target, tally);
    } catch (OutOfMemoryError e) {
      MARK.setVolatile(marks, number, (byte) 1);
      throw e;
    }
  }

  @Override
  void drainSum(ExactSum target) {
    counts.drainSum(target);
  }

  @Override
  void drainExtremes(Extremes target) {
    target.offer(
        (long) MIN.getAndSet(this, Stripe.NO_MIN), (long) MAX.getAndSet(this, Stripe.NO_MAX));
  }

  @Override
  void copyCounts(PagedCounts target, HarvestTally tally) {
    counts.copy(target, tally);
  }

  @Override
  void copySum(ExactSum target) {
    counts.copySum(target);
  }

  @Override
  void copyExtremes(Extremes target) {
    target.offer((long) MIN.getVolatile(this), (long) MAX.getVolatile(this));
  }

  @Override
  long allocatedBytes() {
    long bytes = 16 + (4L * pages.length + 7) / 8 * 8 + 16 + (pages.length + 7L) / 8 * 8;
    return OBJECT_BYTES + bytes + counts.allocatedBytes();
  }
}
