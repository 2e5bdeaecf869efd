package io.hdrsidecar.interval;

import java.util.Arrays;

/**
 * Counts of one bucket layout, in pages allocated when first touched.
 *
 * <p>Latencies of one series gather in a few neighbouring magnitudes, so of the tens of thousands
 * of buckets of a layout only some pages are ever used: memory follows the spread of the values,
 * not the range. Adding is exact; the total is kept beside the counters and cannot overflow
 * unnoticed, and as no counter exceeds the total, no counter can either. For the same reason the
 * sum of a page says how wide its counters must be, 8 bits to 64: a page is made wider before that
 * sum passes what they hold ({@link CountPage}).
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

  /** A reference to a page, and its sum. */
  private static final long TABLE_ENTRY_BYTES = 4 + Long.BYTES;

  private static final long[][] NO_PAGES = {};
  private static final long[] NO_TOTALS = {};

  private final BucketLayout layout;
  private long[][] pages = NO_PAGES;
  private long[] pageTotals = NO_TOTALS;
  private long pageBytes;
  private long committedPageBytes;
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
    long[] page = roomFor(number, count);
    total = sum;
    CountPage.add(page, index, count);
    pageTotals[number] += count;
  }

  /**
   * Adds decoded counts bucket by bucket. They must lie in this layout: the caller compares.
   *
   * @throws ArithmeticException when the total would pass {@link Long#MAX_VALUE}; nothing is added
   */
  public void add(SparseCounts counts) {
    long sum = Math.addExact(total, counts.total());
    int done = 0;
    try {
      while (done < counts.size()) {
        int number = counts.indexAt(done) >>> PAGE_BITS;
        long[] page = roomForRun(number, counts, done);
        done = CountPage.addRun(page, counts, done, pageTotals, number);
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

  /** A page that holds even the whole list needs no closer look, as nearly all do. */
  private long[] roomForRun(int number, SparseCounts counts, int from) {
    if (number < pages.length) {
      long[] page = pages[number];
      if (CountPage.holds(page, pageTotals[number] + counts.total())) {
        return page;
      }
    }
    long added = 0;
    for (int i = from; i < counts.size() && counts.indexAt(i) >>> PAGE_BITS == number; i++) {
      added += counts.countAt(i);
    }
    return roomFor(number, added);
  }

  private void addRuns(SparseCounts counts, int end) {
    for (int i = 0; i < end; ) {
      int number = counts.indexAt(i) >>> PAGE_BITS;
      i = CountPage.addRun(pages[number], counts, i, pageTotals, number);
    }
  }

  /** Takes page by page and stops before the first that has less. */
  private int takeRuns(SparseCounts counts, int end) {
    int i = 0;
    while (i < end) {
      int number = counts.indexAt(i) >>> PAGE_BITS;
      long[] page = number < pages.length ? pages[number] : null;
      int next = page == null ? -1 : CountPage.takeRun(page, counts, i, pageTotals, number);
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
    long[][] table = other.pages;
    for (int number = 0; number < table.length; number++) {
      long[] from = table[number];
      if (from != null) { // All memory first, and no narrower: equal pages add long by long.
        int width = widthWith(number, other.pageTotals[number]);
        pageOf(number, Math.max(width, CountPage.widthOf(from)));
      }
    }
    total = sum;
    for (int number = 0; number < table.length; number++) {
      long[] from = table[number];
      if (from != null) {
        CountPage.addAll(pages[number], from);
        pageTotals[number] += other.pageTotals[number];
      }
    }
  }

  /**
   * Takes the memory for the buckets from {@code fromIndex} up to, not with, {@code toIndex}, so
   * that adding to them will not need any, whatever the counts.
   */
  public void reserve(int fromIndex, int toIndex) {
    for (int number = fromIndex >>> PAGE_BITS; number <= (toIndex - 1) >>> PAGE_BITS; number++) {
      pageOf(number, CountPage.WIDEST);
    }
  }

  /** A page whose counters hold what is to be added to it. */
  private long[] roomFor(int number, long count) {
    return pageOf(number, widthWith(number, count));
  }

  private int widthWith(int number, long count) {
    return CountPage.widthFor(number < pageTotals.length ? pageTotals[number] + count : count);
  }

  private long[] pageOf(int number, int width) {
    if (number >= pages.length) {
      pageTotals = Arrays.copyOf(pageTotals, number + 1);
      pages = Arrays.copyOf(pages, number + 1);
    }
    long[] page = pages[number];
    if (page == null) {
      page = CountPage.create(width);
      pageBytes += CountPage.bytes(width);
      committedPageBytes += CountPage.committedBytes(width);
      pages[number] = page;
    } else if (CountPage.widthOf(page) < width) {
      int before = CountPage.widthOf(page);
      long[] wider = CountPage.widened(page, width);
      pageBytes += CountPage.bytes(width) - CountPage.bytes(before);
      committedPageBytes += CountPage.committedBytes(width) - CountPage.committedBytes(before);
      pages[number] = wider;
      page = wider;
    }
    return page;
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
          upTo = CountPage.upTo(table[page], to, from, upTo);
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
    long[][] table = pages;
    long[] totals = pageTotals;
    long reached = 0;
    int next = 0;
    for (int page = 0; page < table.length && next < ranks.length; page++) {
      long behind = reached + totals[page];
      while (next < ranks.length && ranks[next] <= behind) {
        into[next] =
            (page << PAGE_BITS) + CountPage.indexAtRank(table[page], ranks[next] - reached);
        next++;
      }
      reached = behind;
    }
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
        int width = CountPage.widthOf(pages[page]);
        pageBytes -= CountPage.bytes(width);
        committedPageBytes -= CountPage.committedBytes(width);
        pages[page] = null;
      }
    }
  }

  /** Memory of the pages and their tables, in bytes, on a JVM with compressed references. O(1). */
  public long allocatedBytes() {
    return 32 + TABLE_ENTRY_BYTES * pages.length + pageBytes;
  }

  /**
   * What {@link #allocatedBytes} is once every page has counters of at least 32 bits. A budget that
   * reckons with it need not refuse counts to pages it has admitted, though they widen with time,
   * before 128 neighbours have counted 2^32 values. O(1).
   */
  public long committedBytes() {
    return 32 + TABLE_ENTRY_BYTES * pages.length + committedPageBytes;
  }

  /** By how much {@link #committedBytes} would rise if these counts were added; O(buckets). */
  public long committedGrowthFor(SparseCounts counts) {
    int size = counts.size();
    if (size == 0) {
      return 0;
    }
    int lastPage = counts.indexAt(size - 1) >>> PAGE_BITS;
    long bytes = TABLE_ENTRY_BYTES * Math.max(0, lastPage + 1 - pages.length);
    for (int i = 0; i < size; ) {
      int number = counts.indexAt(i) >>> PAGE_BITS;
      long added = 0;
      do {
        added += counts.countAt(i++);
      } while (i < size && counts.indexAt(i) >>> PAGE_BITS == number);
      long with = CountPage.committedBytes(widthWith(number, added));
      bytes += Math.max(0, with - committedBytesOf(number));
    }
    return bytes;
  }

  private long committedBytesOf(int number) {
    return number >= pages.length || pages[number] == null
        ? 0
        : CountPage.committedBytes(CountPage.widthOf(pages[number]));
  }
}
