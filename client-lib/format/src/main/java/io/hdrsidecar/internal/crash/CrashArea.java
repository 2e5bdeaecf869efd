package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.AREA_SUM_HIGH;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_SUM_LOW;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_TABLE;
import static io.hdrsidecar.internal.crash.CrashLayout.BLOCK_HEADER_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.INT;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_PAGE;
import static io.hdrsidecar.internal.crash.CrashLayout.LONG;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_BITS;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_MASK;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Counters in the file, of one thread or of several, with the sums of their values. They only rise,
 * each modulo 2<sup>32</sup>, the sums modulo 2<sup>64</sup>: who harvests remembers what it has
 * seen, and so does the file.
 *
 * <p>What a thread has written before it died is in the file as far as it had come, in the order of
 * its program as the compiler has left it; release stores leave that as it is. So a value is
 * counted or not counted, and its sum was added before: what a dying thread leaves unequal is the
 * sum of one value.
 *
 * <p>A thread that can reach this object may write to the file; when nobody can, its blocks may
 * serve others. So what writes ends with a {@link Reference#reachabilityFence}, which costs
 * nothing.
 */
public final class CrashArea {
  private static final long LOW_HALF = 0xffff_ffffL;

  private final CrashSeries series;
  private final ByteBuffer memory;
  private final int offset;

  /** The owner's: what it has written, so that it need not be read. */
  private long ownedLow;

  private long ownedHigh;

  CrashArea(CrashSeries series, ByteBuffer memory, int offset) {
    this.series = series;
    this.memory = memory;
    this.offset = offset;
  }

  int offset() {
    return offset;
  }

  /** How many pages there can be. */
  public int pages() {
    return series.pages();
  }

  /** Where a page is; 0 when it is not there. Any thread. */
  public int page(int number) {
    try {
      return (int) INT.getAcquire(memory, slot(number));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private int slot(int number) {
    return offset + AREA_TABLE + number * Integer.BYTES;
  }

  /**
   * Makes a page, and that which will say what of it was framed. Any thread.
   *
   * @return where it is; 0 when there is no room
   */
  public int createPage(int number) {
    try {
      return series.reservePage(number) ? createOwn(number) : 0;
    } catch (OutOfMemoryError e) {
      return 0; // The recording thread is not told, and has the heap for what is left of it.
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  int createOwn(int number) {
    int present = page(number);
    if (present != 0) {
      return present;
    }
    int created = series.file().allocate(PAGE_BYTES);
    if (created == 0) {
      return 0;
    }
    CrashLayout.describe(memory, created, KIND_PAGE, offset, number);
    int winner = (int) INT.compareAndExchange(memory, slot(number), 0, created);
    if (winner == 0) {
      return created;
    }
    memory.put(created, new byte[BLOCK_HEADER_BYTES], 0, BLOCK_HEADER_BYTES); // Zeros, as it was.
    series.file().free(created, PAGE_BYTES);
    return winner;
  }

  private static int counter(int page, int index) {
    return page + CONTENT + (index & PAGE_MASK) * Integer.BYTES;
  }

  /** Where a counter is whose page is there; 0 when it is not. */
  int counterAt(int index) {
    int page = page(index >>> PAGE_BITS);
    return page == 0 ? 0 : counter(page, index);
  }

  /** Counts a value, for the one thread that may. */
  public void countOwned(int page, int index, long value) {
    try {
      ownedLow += value & LOW_HALF;
      LONG.setRelease(memory, offset + AREA_SUM_LOW, ownedLow);
      if (value >>> 32 != 0) {
        ownedHigh += value >>> 32;
        LONG.setRelease(memory, offset + AREA_SUM_HIGH, ownedHigh);
      }
      int counter = counter(page, index);
      INT.setRelease(memory, counter, (int) INT.get(memory, counter) + 1);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Counts a value several times, for any thread. */
  public void countShared(int page, int index, long value, int times) {
    try {
      if (value >>> 32 == 0) {
        LONG.getAndAdd(memory, offset + AREA_SUM_LOW, value * times);
      } else {
        LONG.getAndAdd(memory, offset + AREA_SUM_LOW, (value & LOW_HALF) * times);
        LONG.getAndAdd(memory, offset + AREA_SUM_HIGH, (value >>> 32) * times);
      }
      INT.getAndAdd(memory, counter(page, index), times);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Copies the counters of a page, each as it is at some time of the call, before all that the
   * caller reads afterwards.
   *
   * @param page where it is
   * @param target of 256
   */
  public void copyCounters(int page, int[] target) {
    try {
      series.file().counters().get((page + CONTENT) / Integer.BYTES, target);
      VarHandle.acquireFence();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Sum of the lower halves of all values, modulo 2<sup>64</sup>. Any thread. */
  public long sumLow() {
    return (long) LONG.getVolatile(memory, offset + AREA_SUM_LOW);
  }

  /** The same of the upper halves. */
  public long sumHigh() {
    return (long) LONG.getVolatile(memory, offset + AREA_SUM_HIGH);
  }
}
