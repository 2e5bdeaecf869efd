package io.hdrsidecar.sidecar.window;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one series and layout within the last span.
 *
 * <p>The clock is cut into steps. A ring remembers what each step added, and the running sum holds
 * all of them; when a step has passed out of the span, exactly what it added is subtracted. Counts
 * are whole numbers, so the running sum never drifts from the sum of its steps. Minimum and maximum
 * cannot be subtracted: when the step that had them leaves, they are looked for in those that stay.
 *
 * <p>With {@code n} steps to the span and the current step {@code c}, the steps {@code c-n..c} are
 * inside. An interval belongs to the step in which it ended. One that ended before the window, or
 * lasted longer than the span, would say something untrue about the window and is left out.
 *
 * <p>Cost: an interval O(its non-zero buckets), now and then and those of its step; a step that
 * leaves O(its non-zero buckets), and O(n) if nothing that stays is as small or as large. After
 * warm-up nothing is allocated, until values reach pages or sizes not seen in the last turn of the
 * ring. One writer; readers follow the series' version.
 */
public final class RollingWindow {
  /** {@link #allocatedBytes} of a new window. */
  public static final long EMPTY_BYTES = 48;

  private static final Step[] NO_STEPS = {};

  private final long stepNanos;
  private final long spanNanos;
  private final int stepsInSpan;
  private final PackingScratch scratch;
  private final PagedCounts counts;
  private final SumMinMax sumMinMax = new SumMinMax();
  private @Nullable Step[] ring = NO_STEPS;
  private int inexactSteps;
  private long ringBytes;
  private long current;
  private long nextRelease;
  private long shownFrom;

  /**
   * An empty window.
   *
   * @param scratch shared by the windows of one writer
   */
  public RollingWindow(WindowSpec spec, BucketLayout layout, PackingScratch scratch) {
    this.stepNanos = spec.step().toNanos();
    this.spanNanos = spec.span().toNanos();
    this.stepsInSpan = spec.steps();
    this.scratch = scratch;
    this.counts = new PagedCounts(layout);
  }

  /** Running sum of all steps inside the window. */
  public PagedCounts counts() {
    return counts;
  }

  /** Sum, minimum and maximum of the values inside. */
  public SumMinMax sumMinMax() {
    return sumMinMax;
  }

  /**
   * This empty window takes the place of one that was given up: it is not {@link #isShown shown}
   * before it has been fed for a whole span.
   *
   * @param nowNanos monotonic, 0 or more
   */
  public void beginAgain(long nowNanos) {
    shownFrom = nowNanos / stepNanos + stepsInSpan + 1;
  }

  /** Whether what it holds is all that came within the span. */
  public boolean isShown() {
    return current >= shownFrom;
  }

  /**
   * Whether {@link #advance} would change anything a reader sees.
   *
   * @param nowNanos monotonic, 0 or more
   */
  public boolean isDue(long nowNanos) {
    return counts.total() != 0 && nowNanos / stepNanos > current;
  }

  /**
   * Takes out the steps that have left the span.
   *
   * @param nowNanos monotonic, 0 or more; an earlier time than before changes nothing
   */
  public void advance(long nowNanos) {
    long now = nowNanos / stepNanos;
    if (now <= current) {
      return;
    }
    long oldest = current - stepsInSpan;
    long oldestKept = Math.min(now - stepsInSpan, current + 1);
    current = now;
    if (counts.total() != 0 && expire(oldest, oldestKept)) {
      release();
    }
  }

  private boolean expire(long from, long to) {
    boolean any = false;
    long min = sumMinMax.min();
    long max = sumMinMax.max();
    boolean minLeaves = false;
    boolean maxLeaves = false;
    for (long index = from; index < to; index++) {
      Step step = ring[slotOf(index)];
      if (step != null && !step.isEmpty()) {
        minLeaves |= step.min() == min;
        maxLeaves |= step.max() == max;
        inexactSteps -= step.isSumExact() ? 0 : 1;
        step.takeFrom(counts, sumMinMax.sum(), scratch);
        any = true;
      }
    }
    sumMinMax.set(
        sumMinMax.sum(),
        inexactSteps == 0,
        minLeaves ? smallest(min) : min,
        maxLeaves ? largest(max) : max);
    return any;
  }

  /** Of the steps that stay; none is below the minimum, so one that has it ends the search. */
  private long smallest(long min) {
    long smallest = Long.MAX_VALUE;
    for (Step step : ring) {
      if (step != null && step.min() < smallest) {
        smallest = step.min();
        if (smallest == min) {
          break;
        }
      }
    }
    return smallest;
  }

  /** Likewise: none is above the maximum. */
  private long largest(long max) {
    long largest = 0;
    for (Step step : ring) {
      if (step != null && step.max() > largest) {
        largest = step.max();
        if (largest == max) {
          break;
        }
      }
    }
    return largest;
  }

  /**
   * Gives memory back: all of it when the window has emptied, pages without counts once a turn of
   * the ring, so that a value seen now and then does not take and free a page each time.
   */
  private void release() {
    if (counts.total() == 0) {
      ring = NO_STEPS;
      ringBytes = 0;
      counts.releaseEmptyPages();
    } else if (current >= nextRelease) {
      nextRelease = current + stepsInSpan + 1;
      counts.releaseEmptyPages();
    }
  }

  /**
   * Adds an interval to the step in which it ended, if that is inside the window.
   *
   * @param interval of the layout of this window; its end not after the time of the last {@link
   *     #advance}
   * @throws ArithmeticException when the count would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(IntervalCounts interval) {
    long index = Math.floorDiv(interval.endNanos(), stepNanos);
    if (index < current - stepsInSpan || interval.lengthNanos() > spanNanos) {
      return;
    }
    Step step = stepAt(Math.min(index, current));
    counts.add(interval.counts());
    boolean isInStep = false;
    try {
      addTo(step, interval);
      isInStep = true;
    } finally {
      if (!isInStep) { // No memory for it: what no step has would never leave.
        counts.subtract(interval.counts());
      }
    }
    sumMinMax.add(interval.sumMinMax());
  }

  private void addTo(Step step, IntervalCounts interval) {
    boolean wasExact = step.isSumExact();
    long before = step.allocatedBytes();
    step.add(interval, scratch);
    ringBytes += step.allocatedBytes() - before;
    inexactSteps += wasExact && !step.isSumExact() ? 1 : 0;
  }

  private Step stepAt(long index) {
    if (ring.length == 0) {
      ring = new Step[stepsInSpan + 1];
      ringBytes = 4L * ring.length;
    }
    int slot = slotOf(index);
    Step step = ring[slot];
    if (step == null) {
      step = new Step();
      ring[slot] = step;
      ringBytes += step.allocatedBytes();
    }
    return step;
  }

  private int slotOf(long index) {
    return (int) Math.floorMod(index, (long) stepsInSpan + 1);
  }

  /** Memory of running sum and ring, in bytes; approximate while another thread writes. O(1). */
  public long allocatedBytes() {
    return counts.allocatedBytes() + 16 + ringBytes;
  }
}
