package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.Destination;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The series ids of one connection. Neighbouring ids lie on one page, so those of a client that
 * counts them up cost little more than a reference each. Pages are found by a hash table with open
 * addressing, so that looking up an int makes no Integer; its slots are spread by a random odd
 * factor, which a client cannot aim at.
 */
final class SeriesIds {
  /** A page with its array, and its slots in a table less than half full and in the one before. */
  static final long PAGE_BYTES = 352;

  private static final int PAGE_BITS = 6;
  private static final int PAGE_IDS = 1 << PAGE_BITS;
  private static final int FIRST_BITS = 2;

  /** The ids that are the same without their last bits. */
  private static final class IdPage {
    private final int number;
    private final @Nullable Destination[] series = new Destination[PAGE_IDS];
    private int size;

    private IdPage(int number) {
      this.number = number;
    }

    private void release() {
      for (Destination each : series) {
        if (each != null) {
          each.release();
        }
      }
    }
  }

  private final int factor = ThreadLocalRandom.current().nextInt() | 1;
  private int bits = FIRST_BITS;
  private @Nullable IdPage[] pages = new IdPage[1 << FIRST_BITS];
  private int pageCount;
  private int size;

  /** Number of ids. */
  int size() {
    return size;
  }

  /** The destination that the id stands for, or null. */
  @Nullable Destination find(int id) {
    IdPage page = pages[slotOf(id >>> PAGE_BITS)];
    return page == null ? null : page.series[id & (PAGE_IDS - 1)];
  }

  /** The bytes that the pages take. */
  long bytes() {
    return pageCount * PAGE_BYTES;
  }

  /** The bytes that the pages would take more if this id were among them. */
  long bytesToAdd(int id) {
    return pages[slotOf(id >>> PAGE_BITS)] == null ? PAGE_BYTES : 0;
  }

  /** Sets or replaces what an id stands for; what it stood for is released. */
  void put(int id, Destination registered) {
    IdPage page = pageOf(id >>> PAGE_BITS);
    int place = id & (PAGE_IDS - 1);
    Destination before = page.series[place];
    page.series[place] = registered;
    if (before == null) {
      page.size++;
      size++;
    } else {
      before.release();
    }
  }

  private IdPage pageOf(int number) {
    IdPage page = pages[slotOf(number)];
    if (page == null) {
      if ((pageCount + 1) * 2 > pages.length) {
        grow();
      }
      page = new IdPage(number);
      pages[slotOf(number)] = page;
      pageCount++;
    }
    return page;
  }

  /** Forgets all ids, releases where they lead, and gives their memory back. */
  void clear() {
    for (IdPage page : pages) {
      if (page != null) {
        page.release();
      }
    }
    bits = FIRST_BITS;
    pages = new IdPage[1 << FIRST_BITS];
    pageCount = 0;
    size = 0;
  }

  /** Forgets an id and releases where it leads, and its page with the last of it. */
  void remove(int id) {
    int slot = slotOf(id >>> PAGE_BITS);
    IdPage page = pages[slot];
    int place = id & (PAGE_IDS - 1);
    Destination before = page == null ? null : page.series[place];
    if (page == null || before == null) {
      return;
    }
    before.release();
    page.series[place] = null;
    size--;
    if (--page.size == 0) {
      removePage(slot);
    }
  }

  /** Pages after it in the same run move up, so that looking up finds them. */
  private void removePage(int hole) {
    pages[hole] = null;
    pageCount--;
    int mask = pages.length - 1;
    int slot = (hole + 1) & mask;
    for (IdPage moved = pages[slot]; moved != null; moved = pages[slot]) {
      pages[slot] = null;
      pages[slotOf(moved.number)] = moved;
      slot = (slot + 1) & mask;
    }
  }

  /** The slot that holds the page, or the free one where it belongs. */
  private int slotOf(int number) {
    int mask = pages.length - 1;
    int slot = (number * factor) >>> (Integer.SIZE - bits);
    IdPage page = pages[slot];
    while (page != null && page.number != number) {
      slot = (slot + 1) & mask;
      page = pages[slot];
    }
    return slot;
  }

  private void grow() {
    @Nullable IdPage[] before = pages;
    bits++;
    pages = new IdPage[1 << bits];
    for (IdPage page : before) {
      if (page != null) {
        pages[slotOf(page.number)] = page;
      }
    }
  }
}
