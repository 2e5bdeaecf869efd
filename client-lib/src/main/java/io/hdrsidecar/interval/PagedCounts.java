package io.hdrsidecar.interval;

import java.util.Arrays;

/**
 * Counts of one bucket layout, in pages allocated when first touched.
 *
 * <p>Latencies of one series gather in a few neighbouring magnitudes, so of the tens of thousands
 * of buckets of a layout only some pages are ever used: memory follows the spread of the values,
 * not the range. Adding is exact; the total is kept beside the counters and cannot overflow
 * unnoticed, and as no counter exceeds the total, no counter can either.
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
  private static final int PAGE_BITS = 7;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;
  private static final int PAGE_MASK = PAGE_SIZE - 1;

  private static final int BLOCK_BITS = 4;
  private static final int BLOCK_SIZE = 1 << BLOCK_BITS;

  /** A page begins with the sums of its blocks; its counters follow. */
  private static final int COUNTERS = PAGE_SIZE / BLOCK_SIZE;

  private static final int PAGE_LENGTH = COUNTERS + PAGE_SIZE;
  private static final int PAGE_BYTES = 16 + PAGE_LENGTH * Long.BYTES;

  /** A reference to a page, and its sum. */
  private static final long TABLE_ENTRY_BYTES = 4 + Long.BYTES;

  private static final long[][] NO_PAGES = {};
  private static final long[] NO_COUNTERS = {};
  private static final long[] NO_TOTALS = {};

  private final BucketLayout layout;
  private long[][] pages = NO_PAGES;
  private long[] pageTotals = NO_TOTALS;
  private int pageCount;
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
    int page = index >>> PAGE_BITS;
    long[][] table = pages;
    if (page >= table.length) {
      return 0;
    }
    long[] counters = table[page];
    return counters == null ? 0 : counters[COUNTERS + (index & PAGE_MASK)];
  }

  /**
   * Adds to one bucket.
   *
   * @param count 0 or more
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(int index, long count) {
    long[] counters = pageOf(index);
    total = Math.addExact(total, count);
    addTo(counters, index & PAGE_MASK, count);
    pageTotals[index >>> PAGE_BITS] += count;
  }

  private static void addTo(long[] page, int at, long count) {
    page[COUNTERS + at] += count;
    page[at >>> BLOCK_BITS] += count;
  }

  /**
   * Adds decoded counts bucket by bucket. They must lie in this layout: the caller compares.
   *
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(SparseCounts counts) {
    total = Math.addExact(total, counts.total());
    addAll(counts, 1);
  }

  /** Takes away counts that were added before, as when an interval leaves a window. */
  public void subtract(SparseCounts counts) {
    total -= counts.total();
    addAll(counts, -1);
  }

  private void addAll(SparseCounts counts, int sign) {
    int size = counts.size();
    long[] page = NO_COUNTERS;
    int pageNumber = -1;
    long added = 0;
    for (int i = 0; i < size; i++) {
      int index = counts.indexAt(i);
      if (index >>> PAGE_BITS != pageNumber) {
        if (pageNumber >= 0) {
          pageTotals[pageNumber] += added;
        }
        added = 0;
        page = pageOf(index);
        pageNumber = index >>> PAGE_BITS;
      }
      long count = sign * counts.countAt(i);
      addTo(page, index & PAGE_MASK, count);
      added += count;
    }
    if (pageNumber >= 0) {
      pageTotals[pageNumber] += added;
    }
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
    long[][] table = other.pages;
    for (int page = 0; page < table.length; page++) {
      if (table[page] != null) {
        pageOf(page << PAGE_BITS); // All memory first: without enough of it nothing is added.
      }
    }
    total = sum;
    for (int page = 0; page < table.length; page++) {
      long[] from = table[page];
      if (from != null) {
        long[] to = pageOf(page << PAGE_BITS);
        for (int i = 0; i < PAGE_LENGTH; i++) {
          to[i] += from[i];
        }
        pageTotals[page] += other.pageTotals[page];
      }
    }
  }

  /**
   * Takes the memory for the buckets from {@code fromIndex} up to, not with, {@code toIndex}, so
   * that adding to them will not need any.
   */
  public void reserve(int fromIndex, int toIndex) {
    for (int page = fromIndex >>> PAGE_BITS; page <= (toIndex - 1) >>> PAGE_BITS; page++) {
      pageOf(page << PAGE_BITS);
    }
  }

  private long[] pageOf(int index) {
    int page = index >>> PAGE_BITS;
    if (page >= pages.length) {
      pageTotals = Arrays.copyOf(pageTotals, page + 1);
      pages = Arrays.copyOf(pages, page + 1);
    }
    long[] counters = pages[page];
    if (counters == null) {
      counters = new long[PAGE_LENGTH];
      pages[page] = counters;
      pageCount++;
    }
    return counters;
  }

  /** Visits every non-zero bucket in ascending order. */
  public void forEach(CountVisitor visitor) {
    forEach(0, Integer.MAX_VALUE, visitor);
  }

  /** Visits the non-zero buckets from {@code fromIndex} up to, not with, {@code toIndex}. */
  public void forEach(int fromIndex, int toIndex, CountVisitor visitor) {
    long[][] table = pages;
    for (int page = fromIndex >>> PAGE_BITS; page < table.length; page++) {
      int base = page << PAGE_BITS;
      if (base >= toIndex) {
        return;
      }
      long[] counters = table[page];
      if (counters != null) {
        int end = Math.min(PAGE_SIZE, toIndex - base);
        visitPage(counters, base, Math.max(0, fromIndex - base), end, visitor);
      }
    }
  }

  /** A method of its own, so that the JIT compiles the loop the same whatever calls it. */
  private static void visitPage(
      long[] counters, int base, int start, int end, CountVisitor visitor) {
    for (int i = start; i < end; i++) {
      long count = counters[COUNTERS + i];
      if (count != 0) {
        visitor.visit(base + i, count);
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
    long[][] table = pages;
    long[] totals = pageTotals;
    int range = -1;
    for (int page = 0; page < table.length; page++) {
      long inPage = totals[page];
      if (inPage != 0) {
        int base = page << PAGE_BITS;
        range = range < 0 ? firstRange(ends, base) : range;
        while (ends[range] <= base) {
          range++;
        }
        long upTo = 0;
        int from = 0;
        while (ends[range] - base < PAGE_SIZE) {
          int to = ends[range] - base;
          long before = upTo;
          upTo =
              to - from <= BLOCK_SIZE
                  ? upTo + counters(table[page], from, to)
                  : upTo(table[page], to);
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

  /** Sum of the counters of a page up to, not with, one; from the end of a block that is nearer. */
  private static long upTo(long[] page, int to) {
    int block = (to + BLOCK_SIZE / 2) >>> BLOCK_BITS;
    int end = block << BLOCK_BITS;
    long blocks = sum(page, 0, block);
    return to >= end ? blocks + counters(page, end, to) : blocks - counters(page, to, end);
  }

  private static long counters(long[] page, int from, int to) {
    return sum(page, COUNTERS + from, COUNTERS + to);
  }

  private static long sum(long[] page, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += page[i];
    }
    return sum;
  }

  /**
   * Finds the buckets at which the running count reaches each rank. A page that no rank lies in is
   * not touched.
   *
   * @param ranks in ascending order, from 1 to {@link #total}
   * @param into receives bucket indexes in the same order; at least as long
   */
  public void indexesAtRanks(long[] ranks, int[] into) {
    long[][] table = pages;
    long[] totals = pageTotals;
    long reached = 0;
    int next = 0;
    for (int page = 0; page < table.length && next < ranks.length; page++) {
      long behind = reached + totals[page];
      while (next < ranks.length && ranks[next] <= behind) {
        into[next] = (page << PAGE_BITS) + indexAtRank(table[page], ranks[next] - reached);
        next++;
      }
      reached = behind;
    }
  }

  /** Where in a page, which has as many, the running count reaches a rank. */
  private static int indexAtRank(long[] page, long rank) {
    int block = 0;
    long running = 0;
    while (running + page[block] < rank) {
      running += page[block++];
    }
    int at = block << BLOCK_BITS;
    while (running + page[COUNTERS + at] < rank) {
      running += page[COUNTERS + at++];
    }
    return at;
  }

  /** Sets all counters to zero and keeps the pages, for an owner that fills them again. */
  public void clear() {
    for (long[] counters : pages) {
      if (counters != null) {
        Arrays.fill(counters, 0);
      }
    }
    Arrays.fill(pageTotals, 0);
    total = 0;
  }

  /** Gives the memory of pages without counts back. */
  public void releaseEmptyPages() {
    for (int page = 0; page < pages.length; page++) {
      if (pages[page] != null && pageTotals[page] == 0) {
        pages[page] = null;
        pageCount--;
      }
    }
  }

  /** Memory of the pages and their tables, in bytes, on a JVM with compressed references. O(1). */
  public long allocatedBytes() {
    return 32 + TABLE_ENTRY_BYTES * pages.length + (long) pageCount * PAGE_BYTES;
  }

  /** By how much {@link #allocatedBytes} would rise if these counts were added; O(buckets). */
  public long growthFor(SparseCounts counts) {
    int size = counts.size();
    if (size == 0) {
      return 0;
    }
    int lastPage = counts.indexAt(size - 1) >>> PAGE_BITS;
    long bytes = TABLE_ENTRY_BYTES * Math.max(0, lastPage + 1 - pages.length);
    int before = -1;
    for (int i = 0; i < size; i++) {
      int page = counts.indexAt(i) >>> PAGE_BITS;
      if (page != before) {
        bytes += page >= pages.length || pages[page] == null ? PAGE_BYTES : 0;
        before = page;
      }
    }
    return bytes;
  }
}
