package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.AREA_CARRIED;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_FRAMED;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_NEXT;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_OWNED;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_SHARED;
import static io.hdrsidecar.internal.crash.CrashLayout.CARRIED_BITS;
import static io.hdrsidecar.internal.crash.CrashLayout.INT;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_AREA;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_BITS;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_FIRST_AREA;
import static io.hdrsidecar.internal.crash.CrashLayout.areaBytes;

import io.hdrsidecar.internal.interval.Accumulation;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A series in the file: areas of counters that its recorder raises, and one that says what of them
 * is in intervals that were framed. What is between both is what its recorder has not framed yet.
 */
public final class CrashSeries {
  /** From so many values on that were harvested and not framed, the file must be told of them. */
  public static final long CARRIED_FROM = 1L << CARRIED_BITS;

  private final CrashFile file;
  private final ByteBuffer memory;
  private final int offset;
  private final int pages;
  private final CrashArea framed;
  private @Nullable CrashArea carried; // the sampler's

  private CrashSeries(CrashFile file, int offset, int pages, int framed) {
    this.file = file;
    this.memory = file.memory();
    this.offset = offset;
    this.pages = pages;
    this.framed = new CrashArea(this, memory, framed);
  }

  /** Of a series whose block is there and not found yet; null when there is no room. */
  static @Nullable CrashSeries create(CrashFile file, int offset, int pages) {
    int area = file.allocate(areaBytes(pages));
    if (area == 0) {
      return null;
    }
    CrashLayout.describe(file.memory(), area, KIND_AREA, offset, AREA_FRAMED);
    file.memory().putInt(offset + SERIES_FIRST_AREA, area);
    return new CrashSeries(file, offset, pages, area);
  }

  CrashFile file() {
    return file;
  }

  int offset() {
    return offset;
  }

  int pages() {
    return pages;
  }

  CrashArea framed() {
    return framed;
  }

  /** Counters for one thread at a time; null when there is no room. Any thread. */
  public @Nullable CrashArea owned() {
    return createArea(AREA_OWNED);
  }

  /** Counters for any thread; null when there is no room. */
  public @Nullable CrashArea shared() {
    return createArea(AREA_SHARED);
  }

  /** Counts that will be in no interval: they are lost, or were discarded. The sampler only. */
  public void forget(Accumulation counts) {
    file.forget(this, counts.counts(), counts.sum());
  }

  /**
   * Adds to the changes: so many counts more of a bucket are framed. What was carried of it goes
   * first.
   */
  void putFramed(CrashRedo redo, int index, long added) {
    long units = carried(index);
    long fewer = Math.min(units, added >>> CARRIED_BITS);
    if (fewer > 0) {
      redo.putInt(placeOfCarried(index), (int) (units - fewer));
    }
    addFramed(redo, index, added - (fewer << CARRIED_BITS));
  }

  /** Adds to the changes: so many counts of a bucket are not framed any more. */
  void putTakenBack(CrashRedo redo, int index, long removed) {
    long more = removed >>> CARRIED_BITS;
    int place = more == 0 ? 0 : placeOfCarried(index);
    if (place == 0) {
      addFramed(redo, index, -removed);
    } else {
      redo.putInt(place, (int) (carried(index) + more));
      addFramed(redo, index, -(removed - (more << CARRIED_BITS)));
    }
  }

  /**
   * Adds to the changes: of a bucket at least so many units are carried.
   *
   * @return false when there is no room for it, and nothing was added
   */
  boolean putCarried(CrashRedo redo, int index, long units) {
    long more = units - carried(index);
    if (more <= 0) {
      return true;
    }
    int place = placeOfCarried(index);
    if (place != 0) {
      redo.putInt(place, (int) units);
      addFramed(redo, index, more << CARRIED_BITS);
    }
    return place != 0;
  }

  private void addFramed(CrashRedo redo, int index, long added) {
    int counter = framed.counterAt(index);
    if (counter == 0) {
      throw new IllegalStateException("a bucket that was never counted in the file: " + index);
    }
    redo.putInt(counter, memory.getInt(counter) + (int) added);
  }

  private long carried(int index) {
    CrashArea present = carried;
    int counter = present == null ? 0 : present.counterAt(index);
    return counter == 0 ? 0 : Integer.toUnsignedLong(memory.getInt(counter));
  }

  /** Where it is; 0 when there is no room for it. */
  private int placeOfCarried(int index) {
    CrashArea present = carried;
    if (present == null) {
      present = createArea(AREA_CARRIED);
      carried = present;
    }
    return present == null || present.createOwn(index >>> PAGE_BITS) == 0
        ? 0
        : present.counterAt(index);
  }

  private @Nullable CrashArea createArea(int kind) {
    int area = file.allocate(areaBytes(pages));
    if (area == 0) {
      return null;
    }
    CrashLayout.describe(memory, area, KIND_AREA, offset, kind);
    int first = offset + SERIES_FIRST_AREA;
    int next = (int) INT.getVolatile(memory, first);
    while (true) {
      memory.putInt(area + AREA_NEXT, next);
      int before = (int) INT.compareAndExchange(memory, first, next, area);
      if (before == next) {
        return new CrashArea(this, memory, area);
      }
      next = before;
    }
  }

  /** Sees to it that what is counted on this page can be said to be framed. */
  boolean reservePage(int number) {
    return framed.createOwn(number) != 0;
  }
}
