package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.crash.CrashArea;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What the sampler has seen of counters in a file, which only rise: a harvest is what they are more
 * by. Sampler thread only, but for the copies, which see any part of a harvest that is under way.
 *
 * <p>A page is copied at once and compared with what was seen, many counters at a time: reading it
 * in place asks of each counter whether it lies in the file.
 */
final class MappedCounts {
  private static final int BITS = AtomicPage.BITS;
  private static final int SIZE = AtomicPage.SIZE;
  private static final int[] NOTHING = new int[SIZE];
  private static final int OBJECT_BYTES = 40;

  /** Where one counter has changed, the next may have, too. */
  private static final int NEIGHBOURS = 4;

  private final CrashArea area;

  /** Of each page the counters as they were. */
  private final int[][] seen;

  private long seenLow;
  private long seenHigh;

  MappedCounts(CrashArea area) {
    this.area = area;
    this.seen = new int[area.pages()][];
  }

  /** What is counted in. */
  CrashArea area() {
    return area;
  }

  /** How many pages there can be. */
  int pages() {
    return seen.length;
  }

  /**
   * Moves what was counted on a page since the last time.
   *
   * @throws OutOfMemoryError when the target has no room; what was not moved is still here
   */
  void drain(int number, PagedCounts target, HarvestTally tally) {
    int page = area.page(number);
    if (page == 0) {
      return;
    }
    int[] now = tally.counters();
    int[] known = seen[number];
    if (known == null) {
      known = new int[SIZE];
      seen[number] = known;
    }
    area.copyCounters(page, now);
    for (int at = next(now, known, 0); at >= 0; at = next(now, known, at + 1)) {
      add((number << BITS) + at, now[at] - known[at], target, tally);
      known[at] = now[at];
    }
  }

  /** The first counter from one on that is not as it was; -1 for none. */
  private static int next(int[] now, int[] known, int from) {
    int near = Math.min(from + NEIGHBOURS, SIZE);
    for (int at = from; at < near; at++) {
      if (now[at] != known[at]) {
        return at;
      }
    }
    int far = Arrays.mismatch(now, near, SIZE, known, near, SIZE);
    return far < 0 ? far : near + far;
  }

  private static void add(int index, int more, PagedCounts target, HarvestTally tally) {
    long count = Integer.toUnsignedLong(more);
    target.add(index, count);
    tally.add(count, index, index);
  }

  /** Moves the sum of what was counted since the last time. */
  void drainSum(ExactSum target) {
    long low = area.sumLow();
    long high = area.sumHigh();
    Stripe.addHalves(low - seenLow, high - seenHigh, target);
    seenLow = low;
    seenHigh = high;
  }

  /** Whether there is nothing more than the last time. */
  boolean isAsSeen() {
    int[] now = new int[SIZE];
    for (int number = 0; number < seen.length; number++) {
      int page = area.page(number);
      if (page != 0) {
        area.copyCounters(page, now);
        if (!Arrays.equals(now, seenOn(number))) {
          return false;
        }
      }
    }
    return area.sumLow() == seenLow && area.sumHigh() == seenHigh;
  }

  private int[] seenOn(int number) {
    int[] known = seen[number];
    return known == null ? NOTHING : known;
  }

  /**
   * Adds a copy of what was counted since the last time. Any thread: a harvest may be under way. So
   * what was seen is copied first, as it must not be more than what is there.
   */
  void copy(PagedCounts target, HarvestTally tally) {
    int[] now = tally.counters();
    int[] known = new int[SIZE];
    for (int number = 0; number < seen.length; number++) {
      int page = area.page(number);
      if (page != 0) {
        System.arraycopy(seenOn(number), 0, known, 0, SIZE);
        VarHandle.acquireFence();
        area.copyCounters(page, now);
        for (int at = next(now, known, 0); at >= 0; at = next(now, known, at + 1)) {
          add((number << BITS) + at, now[at] - known[at], target, tally);
        }
      }
    }
  }

  /** Adds a copy of the sum. Any thread; what was seen first, as in the copy of the counts. */
  void copySum(ExactSum target) {
    long low = seenLow;
    long high = seenHigh;
    VarHandle.acquireFence();
    Stripe.addHalves(area.sumLow() - low, area.sumHigh() - high, target);
  }

  /** Memory on the heap, in bytes, on a JVM with compressed references. */
  long allocatedBytes() {
    long bytes = OBJECT_BYTES + 16 + (4L * seen.length + 7) / 8 * 8;
    for (int[] page : seen) {
      bytes += page == null ? 0 : AtomicPage.BYTES;
    }
    return bytes;
  }
}
