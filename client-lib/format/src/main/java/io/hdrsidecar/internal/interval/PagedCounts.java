package io.hdrsidecar.internal.interval;

import java.util.Arrays;

/**
 * Counts of one bucket layout, in pages allocated when first touched.
 *
 * <p>Latencies of one series gather in a few neighbouring magnitudes, so of the tens of thousands
 * of buckets of a layout only some pages are ever used: memory follows the spread of the values,
 * not the range, and so does their {@link PageTable table}. Adding is exact; the total is kept
 * beside the counters and cannot overflow unnoticed, and as no counter exceeds the total, no
 * counter can either. For the same reason the sum of a page says how wide its counters must be, 8
 * bits to 64: a page is made wider before that sum passes what they hold ({@link CountPage}).
 *
 * <p>Readers of ranges and ranks must find their way through thousands of counters of thousands of
 * series, none of them in a cache. So sums are kept at two more levels: of each page, side by side,
 * so that pages nobody asks for are not touched at all; and of each block of 16 counters, at the
 * head of its page, so that an edge in the middle of a page costs a few counters around it.
 *
 * <p>One writer at a time. A reader on another thread needs the owner's protocol (the sidecar uses
 * a version counter around each write).
 */
public final class PagedCounts {
  private static final int PAGE_BITS = CountPage.BITS;
  private static final int PAGE_SIZE = CountPage.SIZE;

  private final BucketLayout layout;
  private final PageTable table = new PageTable();
  private long total;

  /** No counts yet, and no memory but the object. */
  public PagedCounts(BucketLayout layout) {
    this.layout = layout;
  }

  /** Where the counted values lie. */
  public BucketLayout layout() {
    return layout;
  }

  /** Sum of all counters. */
  public long total() {
    return total;
  }

  /** Count in a bucket; 0 for a bucket never touched. */
  public long countAt(int index) {
    int slot = (index >>> PAGE_BITS) - table.first;
    long[][] pages = table.pages;
    if (slot < 0 || slot >= pages.length) {
      return 0;
    }
    long[] counters = pages[slot];
    return counters == null ? 0 : CountPage.get(counters, index);
  }

  /**
   * Adds to one bucket.
   *
   * @param count 0 or more
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(int index, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must be 0 or more, is " + count);
    }
    int number = index >>> PAGE_BITS;
    long sum = Math.addExact(total, count);
    table.makeSlots(number, number);
    int slot = number - table.first;
    table.makeRoom(slot, count);
    total = sum;
    CountPage.add(table.pages[slot], index, count);
    table.totals[slot] += count;
  }

  /**
   * Adds decoded counts bucket by bucket. They must lie in this layout: the caller compares.
   *
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(SparseCounts counts) {
    if (counts.size() == 0) {
      return;
    }
    long sum = Math.addExact(total, counts.total());
    table.makeSlots(PageTable.firstPageOf(counts), PageTable.lastPageOf(counts));
    int done = 0;
    try {
      while (done < counts.size()) {
        int slot = slotOf(counts, done);
        long[] page = roomForRun(slot, counts, done);
        done = CountPage.addRun(page, counts, done, table.totals, slot);
      }
      total = sum;
    } finally {
      if (done < counts.size()) { // No memory for a page: what is in others is taken back.
        takeRuns(counts, done);
      }
    }
  }

  /**
   * Takes away counts that were added before, as when an interval leaves a window.
   *
   * @throws IllegalArgumentException when a bucket has less; nothing is taken
   */
  public void subtract(SparseCounts counts) {
    int done = takeRuns(counts, counts.size());
    if (done < counts.size()) {
      addRuns(counts, done);
      throw lacking(counts);
    }
    total -= counts.total();
  }

  private int slotOf(SparseCounts counts, int i) {
    return (counts.indexAt(i) >>> PAGE_BITS) - table.first;
  }

  /** A page that holds even the whole list needs no closer look, as nearly all do. */
  private long[] roomForRun(int slot, SparseCounts counts, int from) {
    long[] page = table.pages[slot];
    if (CountPage.holds(page, table.totals[slot] + counts.total())) {
      return page;
    }
    int number = counts.indexAt(from) >>> PAGE_BITS;
    long added = 0;
    for (int i = from; i < counts.size() && counts.indexAt(i) >>> PAGE_BITS == number; i++) {
      added += counts.countAt(i);
    }
    table.makeRoom(slot, added);
    return table.pages[slot];
  }

  private void addRuns(SparseCounts counts, int end) {
    for (int i = 0; i < end; ) {
      int slot = slotOf(counts, i);
      i = CountPage.addRun(table.pages[slot], counts, i, table.totals, slot);
    }
  }

  /** Takes page by page and stops before the first that has less. */
  private int takeRuns(SparseCounts counts, int end) {
    long[][] pages = table.pages;
    int i = 0;
    while (i < end) {
      int slot = slotOf(counts, i);
      long[] page = slot >= 0 && slot < pages.length ? pages[slot] : null;
      int next = page == null ? -1 : CountPage.takeRun(page, counts, i, table.totals, slot);
      if (next < 0) {
        break;
      }
      i = next;
    }
    return i;
  }

  private IllegalArgumentException lacking(SparseCounts counts) {
    int i = 0;
    while (i < counts.size() - 1 && countAt(counts.indexAt(i)) >= counts.countAt(i)) {
      i++;
    }
    int index = counts.indexAt(i);
    return new IllegalArgumentException(
        "cannot take %d from bucket %d, which has %d"
            .formatted(counts.countAt(i), index, countAt(index)));
  }

  /**
   * Adds all counts of another of equal layout.
   *
   * @throws IllegalArgumentException when the layouts differ: such counts are joined when read,
   *     never merged (see ARCHITECTURE.md, law 2)
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(PagedCounts other) {
    if (!layout.equals(other.layout)) {
      throw new IllegalArgumentException(
          "counts of different layouts do not add: " + layout + " and " + other.layout);
    }
    long sum = Math.addExact(total, other.total);
    long[][] from = other.table.pages;
    long[] sums = other.table.totals;
    int first = other.table.first;
    int start = PageTable.firstUsed(from);
    int end = PageTable.endOfUsed(from);
    if (start < end) {
      table.makeSlots(first + start, first + end - 1);
    }
    int shift = first - table.first;
    for (int i = start; i < end; i++) {
      if (from[i] != null) { // All memory first, and no narrower: equal pages add long by long.
        table.makeRoom(shift + i, sums[i], CountPage.widthOf(from[i]));
      }
    }
    total = sum;
    for (int i = start; i < end; i++) {
      if (from[i] != null) {
        CountPage.addAll(table.pages[shift + i], from[i]);
        table.totals[shift + i] += sums[i];
      }
    }
  }

  /**
   * Takes the memory for the buckets from {@code fromIndex} up to, not with, {@code toIndex}, so
   * that adding to them will not need any, whatever the counts.
   */
  public void reserve(int fromIndex, int toIndex) {
    int first = fromIndex >>> PAGE_BITS;
    int last = (toIndex - 1) >>> PAGE_BITS;
    table.makeSlots(first, last);
    for (int number = first; number <= last; number++) {
      table.makeRoom(number - table.first, 0, CountPage.WIDEST);
    }
  }

  /**
   * Appends every non-zero bucket to a list, in ascending order.
   *
   * @throws ArithmeticException when the list's total would pass {@link Long#MAX_VALUE}; buckets
   *     appended by then stay
   */
  public void appendTo(SparseCounts into) {
    long[][] pages = table.pages;
    for (int i = 0; i < pages.length; i++) {
      long[] counters = pages[i];
      if (counters != null) {
        into.reserve(PAGE_SIZE);
        int size = CountPage.list(counters, (table.first + i) << PAGE_BITS, into);
        into.appended(size, table.totals[i]);
      }
    }
  }

  /** Visits every non-zero bucket in ascending order. */
  public void forEach(CountVisitor visitor) {
    forEach(0, Integer.MAX_VALUE, visitor);
  }

  /** Visits the non-zero buckets from {@code fromIndex} up to, not with, {@code toIndex}. */
  public void forEach(int fromIndex, int toIndex, CountVisitor visitor) {
    long[][] pages = table.pages;
    int first = table.first;
    for (int i = Math.max(0, (fromIndex >>> PAGE_BITS) - first); i < pages.length; i++) {
      int base = (first + i) << PAGE_BITS;
      if (base >= toIndex) {
        return;
      }
      long[] counters = pages[i];
      if (counters != null) {
        int end = Math.min(PAGE_SIZE, toIndex - base);
        CountPage.visit(counters, base, Math.max(0, fromIndex - base), end, visitor);
      }
    }
  }

  /**
   * Adds up ranges of buckets: what lies below {@code ends[0]} is added to {@code into[0]}, what
   * lies from there up to, not with, {@code ends[1]} to {@code into[1]}, and so on. A page within
   * one range is not touched; of others each edge takes 16 counters and sums at most, as a rule.
   *
   * @param ends bucket indexes in ascending order, the last above every bucket in use, such as
   *     {@link Integer#MAX_VALUE}
   * @param into at least as long
   */
  public void addRangesTo(int[] ends, long[] into) {
    long[][] pages = table.pages;
    long[] totals = table.totals;
    int first = table.first;
    int range = -1;
    for (int i = 0; i < pages.length; i++) {
      long inPage = totals[i];
      if (inPage != 0) {
        int base = (first + i) << PAGE_BITS;
        range = range < 0 ? firstRange(ends, base) : range;
        while (ends[range] <= base) {
          range++;
        }
        long upTo = 0;
        int from = 0;
        while (ends[range] - base < PAGE_SIZE) {
          int to = ends[range] - base;
          long before = upTo;
          upTo = CountPage.upTo(pages[i], to, from, upTo);
          into[range++] += upTo - before;
          from = to;
        }
        into[range] += inPage - upTo;
      }
    }
  }

  private static int firstRange(int[] ends, int index) {
    int found = Arrays.binarySearch(ends, index);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /**
   * Finds the buckets at which the running count reaches each rank. A page that no rank lies in is
   * not touched.
   *
   * @param ranks in ascending order, from 1 to {@link #total}
   * @param into receives bucket indexes in the same order; at least as long
   */
  public void indexesAtRanks(long[] ranks, int[] into) {
    long[][] pages = table.pages;
    long[] totals = table.totals;
    int first = table.first;
    long reached = 0;
    int next = 0;
    for (int i = 0; i < pages.length && next < ranks.length; i++) {
      long behind = reached + totals[i];
      while (next < ranks.length && ranks[next] <= behind) {
        into[next] =
            ((first + i) << PAGE_BITS) + CountPage.indexAtRank(pages[i], ranks[next] - reached);
        next++;
      }
      reached = behind;
    }
  }

  /** Sets all counters to zero and keeps the pages, for an owner that fills them again. */
  public void clear() {
    for (long[] counters : table.pages) {
      if (counters != null) {
        Arrays.fill(counters, 0);
      }
    }
    Arrays.fill(table.totals, 0);
    total = 0;
  }

  /** Gives the memory of pages without counts back. */
  public void releaseEmptyPages() {
    table.releaseEmptyPages();
  }

  /** Memory of the pages and their tables, in bytes, on a JVM with compressed references. O(1). */
  public long allocatedBytes() {
    return table.allocatedBytes();
  }

  /**
   * What {@link #allocatedBytes} is once every page has counters of at least 32 bits. A budget that
   * reckons with it need not refuse counts to pages it has admitted, though they widen with time,
   * before 128 neighbours have counted 2^32 values. O(1).
   */
  public long committedBytes() {
    return table.committedBytes();
  }

  /** By how much {@link #committedBytes} would rise if these counts were added; O(buckets). */
  public long committedGrowthFor(SparseCounts counts) {
    return counts.size() == 0 ? 0 : table.committedGrowthFor(counts);
  }
}
