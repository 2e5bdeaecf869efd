package io.hdrsidecar.internal.interval;

/**
 * The pages of {@link PagedCounts} and the sum of each, from the first page in use to the last.
 *
 * <p>Latencies of milliseconds lie a hundred pages above 0 when they are counted in nanoseconds. So
 * the table begins where counts do and grows to both sides. Where a page stands in it is its slot,
 * its number less that of the first.
 *
 * <p>Written by one thread. A reader that meets a table while it is replaced may take the pages of
 * one for those of another, or fail with an index out of bounds; it must copy the references before
 * a loop, so that the loop ends.
 */
final class PageTable {
  private static final int PAGE_BITS = CountPage.BITS;

  /** Headers of both arrays. */
  private static final long EMPTY_BYTES = 32;

  /** A reference to a page, and its sum. */
  private static final long SLOT_BYTES = 4 + Long.BYTES;

  /** When a table grows, so much of it is spare: growing page by page is not quadratic. */
  private static final int SPARE = 8;

  private static final long[][] NO_PAGES = {};
  private static final long[] NO_TOTALS = {};

  /** Number of the first page. */
  int first;

  /** Pages by slot; null where nothing was counted. */
  long[][] pages = NO_PAGES;

  /** Sums of the pages by slot. */
  long[] totals = NO_TOTALS;

  private long pageBytes;
  private long committedPageBytes;

  /** Whether there are slots for the pages from one number to another, both included. */
  boolean hasSlots(int from, int to) {
    return from >= first && to - first < pages.length;
  }

  /** Makes slots for the pages from one number to another, both included. */
  void makeSlots(int from, int to) {
    if (hasSlots(from, to)) {
      return;
    }
    int slots = slotsWith(from, to);
    if (pages.length == 0) {
      move(from, slots);
    } else if (from < first) {
      move(Math.max(to, last()) + 1 - slots, slots); // What is spare lies below.
    } else {
      move(first, slots);
    }
  }

  /** How many slots there are once there are some for these pages. */
  private int slotsWith(int from, int to) {
    int slots = pages.length;
    if (slots == 0) {
      return to + 1 - from;
    }
    int end = Math.max(to, last()) + 1;
    int needed = end - Math.min(from, first);
    if (needed == slots) {
      return slots;
    }
    int most = from < first ? end : Integer.MAX_VALUE; // No page lies below 0.
    return Math.min(most, Math.max(needed, slots + slots / SPARE));
  }

  private int last() {
    return first + pages.length - 1;
  }

  /** Replaces the table by one with other limits, in which all pages have slots. */
  private void move(int newFirst, int slots) {
    long[][] newPages = slots == 0 ? NO_PAGES : new long[slots][];
    long[] newTotals = slots == 0 ? NO_TOTALS : new long[slots];
    int from = Math.max(first, newFirst);
    int length = Math.min(last(), newFirst + slots - 1) + 1 - from;
    if (length > 0) {
      System.arraycopy(pages, from - first, newPages, from - newFirst, length);
      System.arraycopy(totals, from - first, newTotals, from - newFirst, length);
    }
    first = newFirst;
    pages = newPages;
    totals = newTotals;
  }

  /** Makes the page in a slot wide enough for what is to be added to it. */
  void makeRoom(int slot, long count) {
    makeRoom(slot, count, CountPage.NARROWEST);
  }

  /** Likewise, and at least of a width. */
  void makeRoom(int slot, long count, int leastWidth) {
    int width = Math.max(leastWidth, CountPage.widthFor(totals[slot] + count));
    long[] page = pages[slot];
    if (page == null) {
      pages[slot] = CountPage.create(width);
      account(width, 1);
    } else if (CountPage.widthOf(page) < width) {
      pages[slot] = CountPage.widened(page, width);
      account(CountPage.widthOf(page), -1);
      account(width, 1);
    }
  }

  private void account(int width, int sign) {
    pageBytes += sign * CountPage.bytes(width);
    committedPageBytes += sign * CountPage.committedBytes(width);
  }

  /** The lowest slot with a page; the number of slots if none has. */
  static int firstUsed(long[][] pages) {
    int slot = 0;
    while (slot < pages.length && pages[slot] == null) {
      slot++;
    }
    return slot;
  }

  /** Behind the highest slot with a page; 0 if none has. */
  static int endOfUsed(long[][] pages) {
    int end = pages.length;
    while (end > 0 && pages[end - 1] == null) {
      end--;
    }
    return end;
  }

  /** Frees pages without counts, and slots if less than half of them is left between others. */
  void releaseEmptyPages() {
    for (int slot = 0; slot < pages.length; slot++) {
      if (pages[slot] != null && totals[slot] == 0) {
        account(CountPage.widthOf(pages[slot]), -1);
        pages[slot] = null;
      }
    }
    int from = firstUsed(pages);
    int used = Math.max(0, endOfUsed(pages) - from);
    if (used < (pages.length + 1) / 2) {
      move(first + from, used);
    }
  }

  /** As {@link PagedCounts#allocatedBytes}. */
  long allocatedBytes() {
    return EMPTY_BYTES + SLOT_BYTES * pages.length + pageBytes;
  }

  /** As {@link PagedCounts#committedBytes}. */
  long committedBytes() {
    return EMPTY_BYTES + SLOT_BYTES * pages.length + committedPageBytes;
  }

  /** As {@link PagedCounts#committedGrowthFor}, of counts that are not empty. */
  long committedGrowthFor(SparseCounts counts) {
    int size = counts.size();
    int slots = slotsWith(firstPageOf(counts), lastPageOf(counts));
    long bytes = SLOT_BYTES * (slots - pages.length);
    for (int i = 0; i < size; ) {
      int number = counts.indexAt(i) >>> PAGE_BITS;
      long added = 0;
      do {
        added += counts.countAt(i++);
      } while (i < size && counts.indexAt(i) >>> PAGE_BITS == number);
      bytes += committedPageGrowth(number, added);
    }
    return bytes;
  }

  private long committedPageGrowth(int number, long added) {
    int slot = number - first;
    if (!hasSlots(number, number) || pages[slot] == null) {
      return CountPage.committedBytes(CountPage.widthFor(added));
    }
    long before = CountPage.committedBytes(CountPage.widthOf(pages[slot]));
    long after = CountPage.committedBytes(CountPage.widthFor(totals[slot] + added));
    return Math.max(0, after - before);
  }

  /** Number of the page that the first of these buckets lies in. */
  static int firstPageOf(SparseCounts counts) {
    return counts.indexAt(0) >>> PAGE_BITS;
  }

  /** Number of the page that the last of these buckets lies in. */
  static int lastPageOf(SparseCounts counts) {
    return counts.indexAt(counts.size() - 1) >>> PAGE_BITS;
  }
}
