package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.crash.CrashArea;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;

/**
 * What the sampler has seen of counters in a file, which only rise: a harvest is what they are more
 * by. Sampler thread only, but for the copies, which see any part of a harvest that is under way.
 */
final class MappedCounts {
  private static final int BITS = 8;
  private static final int PAIRS = 1 << BITS >>> 1;
  private static final int PAGE_BYTES = 16 + PAIRS * Long.BYTES;
  private static final int OBJECT_BYTES = 40;

  private final CrashArea area;

  /** Of each page the counters as they were, two in a long. */
  private final long[][] seen;

  private long seenLow;
  private long seenHigh;

  MappedCounts(CrashArea area) {
    this.area = area;
    this.seen = new long[area.pages()][];
  }

  /**
   * Moves what was counted since the last time.
   *
   * @param marks of the pages to look at
   */
  void drain(long marks, PagedCounts target, HarvestTally tally) {
    for (int number = 0; number < seen.length; number++) {
      int page = (marks & Stripe.pageMark(number)) == 0 ? 0 : area.page(number);
      if (page != 0) {
        long[] known = seen[number];
        if (known == null) {
          known = new long[PAIRS];
          seen[number] = known;
        }
        drain(page, number << BITS, known, target, tally);
      }
    }
  }

  private void drain(
      int page, int firstIndex, long[] known, PagedCounts target, HarvestTally tally) {
    for (int pair = 0; pair < PAIRS; pair++) {
      long now = area.counters(page, pair);
      long before = known[pair];
      if (now != before) {
        int index = firstIndex + 2 * pair;
        target.reserve(index, index + 2);
        add(index, (int) now - (int) before, target, tally);
        add(index + 1, (int) (now >>> 32) - (int) (before >>> 32), target, tally);
        known[pair] = now;
      }
    }
  }

  private static void add(int index, int more, PagedCounts target, HarvestTally tally) {
    if (more != 0) {
      long count = Integer.toUnsignedLong(more);
      target.add(index, count);
      tally.add(count, index, index);
    }
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
    for (int number = 0; number < seen.length; number++) {
      int page = area.page(number);
      long[] known = seen[number];
      for (int pair = 0; page != 0 && pair < PAIRS; pair++) {
        if (area.counters(page, pair) != (known == null ? 0 : known[pair])) {
          return false;
        }
      }
    }
    return area.sumLow() == seenLow && area.sumHigh() == seenHigh;
  }

  /** Adds a copy of what was counted since the last time. Any thread. */
  void copy(PagedCounts target, HarvestTally tally) {
    for (int number = 0; number < seen.length; number++) {
      int page = area.page(number);
      long[] known = seen[number];
      for (int pair = 0; page != 0 && pair < PAIRS; pair++) {
        long now = area.counters(page, pair);
        long before = known == null ? 0 : known[pair];
        int index = (number << BITS) + 2 * pair;
        add(index, (int) now - (int) before, target, tally);
        add(index + 1, (int) (now >>> 32) - (int) (before >>> 32), target, tally);
      }
    }
  }

  /** Adds a copy of the sum. Any thread. */
  void copySum(ExactSum target) {
    Stripe.addHalves(area.sumLow() - seenLow, area.sumHigh() - seenHigh, target);
  }

  /** Memory on the heap, in bytes, on a JVM with compressed references. */
  long allocatedBytes() {
    long bytes = OBJECT_BYTES + 16 + (4L * seen.length + 7) / 8 * 8;
    for (long[] page : seen) {
      bytes += page == null ? 0 : PAGE_BYTES;
    }
    return bytes;
  }
}
