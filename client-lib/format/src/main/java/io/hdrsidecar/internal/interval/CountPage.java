package io.hdrsidecar.internal.interval;

import org.jspecify.annotations.Nullable;

/**
 * A page of counters in an array of longs, packed: 8, 4, 2 or 1 to a long, as wide as the largest
 * may become. Most buckets of most series hold a few values, and 64 bits for each would be seven
 * eighths zeros.
 *
 * <p>A page begins with the sums of its blocks of 16 counters; the 128 counters follow. Together
 * they are the lanes of the page, 136, which divide by 8: all widths have one form, and the length
 * of the array tells the width, 17 longs for lanes of 8 bits, and twice as many for twice the
 * width.
 *
 * <p>No lane can run into the next while the sum of the page fits into a lane, since no counter and
 * no block exceeds the page. So the owner, who knows that sum, {@link #widened widens} by it before
 * it adds, and adding looks at no counter: it is an addition to a long, and whole pages of equal
 * width add long by long.
 *
 * <p>A reader that meets a page being written reads wrong counts, and at worst an index out of
 * bounds: the array, and so the width, is one throughout.
 */
final class CountPage {
  static final int BITS = 7;
  static final int SIZE = 1 << BITS;

  /** Widths are powers of two, and told by their exponents. */
  static final int NARROWEST = 3;

  static final int WIDEST = 6;

  /** 32 bits: wide enough until 128 neighbours have counted 2^32 values. */
  private static final int FORESEEN = 5;

  private static final int MASK = SIZE - 1;
  private static final int BLOCK_BITS = 4;
  private static final int BLOCK_SIZE = 1 << BLOCK_BITS;
  private static final int COUNTERS = SIZE / BLOCK_SIZE;
  private static final int LANES = COUNTERS + SIZE;
  private static final int ARRAY_HEADER_BYTES = 16;

  /** 1 in every lane, by width. */
  private static final long[] ONES = {
    0x0101_0101_0101_0101L, 0x0001_0001_0001_0001L, 1L << 32 | 1, 1
  };

  private CountPage() {}

  /** The width of lanes that hold every part of a sum; the widest for what is no sum. */
  static int widthFor(long sum) {
    if (sum >>> 16 == 0) {
      return sum >>> 8 == 0 ? NARROWEST : 4;
    }
    return sum >>> 32 == 0 ? 5 : WIDEST;
  }

  static int widthOf(long[] page) {
    int thirtyTwos = page.length >>> 5; // 0, 1, 2 or 4, of 17, 34, 68 or 136 longs
    return NARROWEST + thirtyTwos - (thirtyTwos >>> 2);
  }

  /** Whether there is a page, and one whose lanes hold every part of a sum. */
  static boolean holds(long @Nullable [] page, long sum) {
    return page != null && (sum >>> ((1 << widthOf(page)) - 1)) >>> 1 == 0;
  }

  static long bytes(int width) {
    return ARRAY_HEADER_BYTES + (long) (LANES >>> (WIDEST - width)) * Long.BYTES;
  }

  /** What a page of this width takes, or will take once its lanes have 32 bits. */
  static long committedBytes(int width) {
    return bytes(Math.max(width, FORESEEN));
  }

  static long[] create(int width) {
    return new long[LANES >>> (WIDEST - width)];
  }

  /** The same counts in a new page of wider lanes. */
  static long[] widened(long[] page, int width) {
    long[] wider = create(width);
    addAll(wider, page);
    return wider;
  }

  static long get(long[] page, int index) {
    return lane(page, COUNTERS + (index & MASK), widthOf(page));
  }

  private static long lane(long[] page, int lane, int width) {
    // Of a shift, the lowest six bits count: the place within its long.
    return (page[lane >>> (WIDEST - width)] >>> (lane << width)) & (-1L >>> -(1 << width));
  }

  /** Adds to the counter of a bucket. */
  static void add(long[] page, int index, long count) {
    int width = widthOf(page);
    int at = index & MASK;
    addToLane(page, width, COUNTERS + at, count);
    addToLane(page, width, at >>> BLOCK_BITS, count);
  }

  /**
   * Adds the buckets of a list that lie in this page, from one of them on.
   *
   * @param totals at {@code slot}, the sum of this page
   * @return place in the list of the first bucket behind this page
   */
  static int addRun(long[] page, SparseCounts list, int from, long[] totals, int slot) {
    int[] indexes = list.indexes();
    long[] counts = list.counts();
    int size = list.size();
    int last = indexes[from] | MASK;
    int width = widthOf(page);
    int inLong = WIDEST - width;
    long sum = 0;
    int i = from;
    do {
      int at = indexes[i] & MASK;
      long count = counts[i];
      int lane = COUNTERS + at;
      int block = at >>> BLOCK_BITS;
      page[lane >>> inLong] += count << (lane << width);
      page[block >>> inLong] += count << (block << width);
      sum += count;
      i++;
    } while (i < size && indexes[i] <= last);
    totals[slot] += sum;
    return i;
  }

  /**
   * The opposite of {@link #addRun}. Longs wrap around: were more taken than a bucket has, adding
   * the same makes every lane what it was.
   *
   * @return as addRun; less than 0, its complement, when a bucket has less and nothing is taken
   */
  static int takeRun(long[] page, SparseCounts list, int from, long[] totals, int slot) {
    int[] indexes = list.indexes();
    long[] counts = list.counts();
    int size = list.size();
    int last = indexes[from] | MASK;
    int width = widthOf(page);
    int inLong = WIDEST - width;
    long mask = -1L >>> -(1 << width);
    long sum = 0;
    long lacking = 0; // below 0 once a bucket had less
    int i = from;
    do {
      int at = indexes[i] & MASK;
      long count = counts[i];
      int lane = COUNTERS + at;
      int block = at >>> BLOCK_BITS;
      long held = page[lane >>> inLong];
      lacking |= (held >>> (lane << width) & mask) - count;
      page[lane >>> inLong] = held - (count << (lane << width));
      page[block >>> inLong] -= count << (block << width);
      sum += count;
      i++;
    } while (i < size && indexes[i] <= last);
    totals[slot] -= sum;
    if (lacking < 0) {
      addRun(page, list, from, totals, slot);
      return ~i;
    }
    return i;
  }

  private static void addToLane(long[] page, int width, int lane, long count) {
    page[lane >>> (WIDEST - width)] += count << (lane << width);
  }

  /** Adds the counts of a page that is not wider. */
  static void addAll(long[] to, long[] from) {
    if (to.length == from.length) {
      for (int i = 0; i < to.length; i++) {
        to[i] += from[i];
      }
      return;
    }
    int width = widthOf(from);
    int toWidth = widthOf(to);
    for (int lane = 0; lane < LANES; lane++) {
      addToLane(to, toWidth, lane, lane(from, lane, width));
    }
  }

  /**
   * Visits the non-zero counters from {@code start} up to, not with, {@code end}. A method of its
   * own, so that the JIT compiles the loop the same whatever calls it.
   *
   * @param base index of the first bucket of the page
   */
  static void visit(long[] page, int base, int start, int end, CountVisitor visitor) {
    int width = widthOf(page);
    int inLong = WIDEST - width;
    long mask = -1L >>> -(1 << width);
    int lane = COUNTERS + start;
    while (lane < COUNTERS + end) {
      long rest = page[lane >>> inLong] >>> (lane << width);
      if (rest == 0) {
        lane = ((lane >>> inLong) + 1) << inLong;
      } else {
        if ((rest & mask) != 0) {
          visitor.visit(base + lane - COUNTERS, rest & mask);
        }
        lane++;
      }
    }
  }

  /**
   * Appends the non-zero counters to a list that has room for all: as {@link #visit}, without a
   * call for each of them and without a look at those that are zero.
   *
   * @param base index of the first bucket of the page
   * @return the new size of the list
   */
  static int list(long[] page, int base, SparseCounts into) {
    int[] indexes = into.indexes();
    long[] counts = into.counts();
    int size = into.size();
    int width = widthOf(page);
    int inLong = WIDEST - width;
    long mask = -1L >>> -(1 << width);
    int first = COUNTERS >>> inLong;
    for (int i = first; i < page.length; i++) {
      int index = base + ((i - first) << inLong);
      for (long rest = page[i]; rest != 0; ) {
        int lane = Long.numberOfTrailingZeros(rest) >>> width;
        long count = rest >>> (lane << width) & mask;
        indexes[size] = index + lane;
        counts[size++] = count;
        rest ^= count << (lane << width);
      }
    }
    return size;
  }

  /**
   * Sum of the counters up to, not with, one; the shorter way from where it is known already.
   *
   * @param sum of the counters up to, not with, {@code from}
   */
  static long upTo(long[] page, int to, int from, long sum) {
    return to - from <= BLOCK_SIZE ? sum + counters(page, from, to) : upTo(page, to);
  }

  /** Sum of the counters up to, not with, one; from the end of a block that is nearer. */
  private static long upTo(long[] page, int to) {
    int block = (to + BLOCK_SIZE / 2) >>> BLOCK_BITS;
    int end = block << BLOCK_BITS;
    long blocks = lanes(page, 0, block);
    return to >= end ? blocks + counters(page, end, to) : blocks - counters(page, to, end);
  }

  private static long counters(long[] page, int from, int to) {
    return lanes(page, COUNTERS + from, COUNTERS + to);
  }

  /**
   * Sum of lanes. Longs add lane by lane, and a product with 1 in every lane has the sum of all in
   * its highest: none is larger than the page, so none runs over.
   */
  private static long lanes(long[] page, int from, int to) {
    if (from >= to) {
      return 0;
    }
    int width = widthOf(page);
    int last = (to - 1) >>> (WIDEST - width);
    long sum = 0;
    long inside = -1L << (from << width);
    for (int i = from >>> (WIDEST - width); i < last; i++) {
      sum += page[i] & inside;
      inside = -1;
    }
    sum += page[last] & inside & (-1L >>> -(to << width));
    return (sum * ONES[width - NARROWEST]) >>> -(1 << width);
  }

  /** Where in a page, which has as many, the running count reaches a rank. */
  static int indexAtRank(long[] page, long rank) {
    int width = widthOf(page);
    int block = 0;
    long left = rank;
    for (long next; (next = lane(page, block, width)) < left; block++) {
      left -= next;
    }
    int at = block << BLOCK_BITS;
    for (long next; (next = lane(page, COUNTERS + at, width)) < left; at++) {
      left -= next;
    }
    return at;
  }
}
