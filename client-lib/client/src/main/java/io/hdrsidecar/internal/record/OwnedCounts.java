package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Counters that one thread at a time may touch, so that adding is no atomic instruction and one
 * cache miss does not wait for another. They are bytes, in pages created when first touched: the
 * fewer lines they cover, the more of them are in a cache. Of a page in which one overflows, there
 * is a second one for what is carried.
 *
 * <p>{@link OwnedValues} says whose turn it is.
 */
final class OwnedCounts {
  private static final int BITS = 8;
  private static final int SIZE = 1 << BITS;
  private static final int MASK = SIZE - 1;
  private static final int PAGE_BYTES = 16 + SIZE;
  private static final int CARRIES_BYTES = 16 + SIZE * Integer.BYTES;
  private static final int OBJECT_BYTES = 32;
  private static final byte[][] NO_PAGES = {};
  private static final int[][] NO_CARRIES = {};
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final int pageCount;
  private byte[][] pages = NO_PAGES;

  /** How often each counter of a page came round to 0. */
  private int[][] carries = NO_CARRIES;

  private long arrayBytes;

  OwnedCounts(int counters) {
    this.pageCount = (counters + SIZE - 1) >>> BITS;
  }

  /**
   * Counts one value.
   *
   * @return false when there was no memory for its counter, and nothing was counted
   */
  boolean add(int index) {
    byte[][] table = pages;
    int number = index >>> BITS;
    byte @Nullable [] page = number < table.length ? table[number] : null;
    if (page == null) {
      page = createPage(number);
      if (page == null) {
        return false;
      }
    }
    byte count = (byte) (page[index & MASK] + 1);
    if (count == 0 && !carry(index)) {
      return false;
    }
    page[index & MASK] = count;
    return true;
  }

  private byte @Nullable [] createPage(int number) {
    try {
      if (pages.length == 0) {
        pages = new byte[pageCount][];
        arrayBytes += tableBytes();
      }
      byte[] page = new byte[SIZE];
      pages[number] = page;
      arrayBytes += PAGE_BYTES;
      return page;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private boolean carry(int index) {
    try {
      if (carries.length == 0) {
        carries = new int[pageCount][];
        arrayBytes += tableBytes();
      }
      int number = index >>> BITS;
      if (carries[number] == null) {
        carries[number] = new int[SIZE];
        arrayBytes += CARRIES_BYTES;
      }
      carries[number][index & MASK]++;
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private long tableBytes() {
    return 16 + (4L * pageCount + 7) / 8 * 8;
  }

  /**
   * Moves all counts to {@code target}.
   *
   * @throws OutOfMemoryError when the target has no room; what was not moved is still here
   */
  void drain(PagedCounts target, HarvestTally tally) {
    addTo(target, tally, true);
  }

  /** Adds a copy of all counts to {@code target}. */
  void copy(PagedCounts target, HarvestTally tally) {
    addTo(target, tally, false);
  }

  private void addTo(PagedCounts target, HarvestTally tally, boolean emptied) {
    byte[] places = tally.places();
    for (int number = 0; number < pages.length; number++) {
      byte[] page = pages[number];
      if (page != null) {
        int[] carried = carriesOf(number);
        int found = carried == null ? findNonZero(page, places) : findAny(page, carried, places);
        for (int i = 0; i < found; i++) {
          int place = Byte.toUnsignedInt(places[i]);
          add((number << BITS) + place, page, carried, target, tally);
          if (emptied) {
            empty(place, page, carried);
          }
        }
      }
    }
  }

  private int @Nullable [] carriesOf(int number) {
    return carries.length == 0 ? null : carries[number];
  }

  private static void empty(int place, byte[] page, int @Nullable [] carried) {
    page[place] = 0;
    if (carried != null) {
      carried[place] = 0;
    }
  }

  private static void add(
      int index, byte[] page, int @Nullable [] carried, PagedCounts target, HarvestTally tally) {
    int place = index & MASK;
    long count = Byte.toUnsignedLong(page[place]);
    if (carried != null) {
      count += Integer.toUnsignedLong(carried[place]) << Byte.SIZE;
    }
    target.add(index, count);
    tally.add(count, index, index);
  }

  /** Skips eight zeros at once, and has no branch inside other eights: none could be predicted. */
  private static int findNonZero(byte[] page, byte[] places) {
    int found = 0;
    for (int eight = 0; eight < SIZE; eight += Long.BYTES) {
      if ((long) EIGHT.get(page, eight) != 0) {
        for (int i = eight; i < eight + Long.BYTES; i++) {
          places[found] = (byte) i;
          found += (page[i] | -page[i]) >>> 31; // 1 unless the count is 0
        }
      }
    }
    return found;
  }

  private static int findAny(byte[] page, int[] carried, byte[] places) {
    int found = 0;
    for (int i = 0; i < SIZE; i++) {
      if ((page[i] | carried[i]) != 0) {
        places[found++] = (byte) i;
      }
    }
    return found;
  }

  /** Memory, in bytes, on a JVM with compressed references. */
  long allocatedBytes() {
    return OBJECT_BYTES + arrayBytes;
  }
}
