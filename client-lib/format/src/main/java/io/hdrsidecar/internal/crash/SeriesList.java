package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.ALIGNMENT;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_NEXT;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_TABLE;
import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.FIRST_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.INT;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.NUMBER;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_FIRST_AREA;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_NEXT;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_PAGES;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_START_MILLIS;
import static io.hdrsidecar.internal.crash.CrashLayout.aligned;
import static io.hdrsidecar.internal.crash.CrashLayout.areaBytes;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.FrameEncoder;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The series of a file, from the newest on, and what becomes of their blocks.
 *
 * <p>A series that was removed may still be recorded to, by a thread that has held on to it, or is
 * in the midst of it. So its blocks serve others when nobody can reach its {@link CrashSeries} any
 * more: all that counts in its areas leads to it, and so do intervals that wait or are on their
 * way. It is taken out of the list by one store, then its blocks are cleared.
 */
final class SeriesList {
  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  private final CrashFile file;
  private final ByteBuffer memory;
  private final FrameEncoder frames = new FrameEncoder();
  private final ReferenceQueue<CrashSeries> unreachable = new ReferenceQueue<>();
  private final Set<SeriesReference> held = new HashSet<>();

  /** Says when a series cannot be reached, and where it was. */
  private static final class SeriesReference extends PhantomReference<CrashSeries> {
    final int block;

    SeriesReference(CrashSeries series, ReferenceQueue<CrashSeries> unreachable) {
      super(series, unreachable);
      this.block = series.offset();
    }
  }

  SeriesList(CrashFile file) {
    this.file = file;
    this.memory = file.memory();
  }

  /** A new one; null when there is no room. Any thread. */
  synchronized @Nullable CrashSeries add(SeriesDefinition definition, long nowMillis) {
    byte[] frame = frames.series(1, definition).take();
    int pages = CrashLayout.pages(definition.counters());
    int bytes = aligned(CONTENT + frame.length);
    boolean hasRoom = file.hasRoomFor(bytes + 4 * (areaBytes(pages) + ALIGNMENT));
    int block = hasRoom ? file.allocate(bytes) : 0;
    if (block == 0) {
      return null;
    }
    memory.putInt(block + SERIES_PAGES, pages);
    memory.putLong(block + SERIES_START_MILLIS, nowMillis);
    memory.put(block + CONTENT, frame, 0, frame.length);
    CrashLayout.describe(memory, block, KIND_SERIES, 0, frame.length);
    CrashSeries created = CrashSeries.create(file, block, pages);
    if (created == null) {
      free(block, bytes);
      return null;
    }
    held.add(new SeriesReference(created, unreachable)); // Before the series is there: it may fail.
    memory.putInt(block + SERIES_NEXT, (int) INT.getVolatile(memory, FIRST_SERIES));
    INT.setRelease(memory, FIRST_SERIES, block);
    return created;
  }

  /** Has the blocks of series that nobody can reach serve others. The sampler only. */
  void giveBack() {
    Reference<? extends CrashSeries> gone = unreachable.poll();
    while (gone != null) {
      giveBack((SeriesReference) gone);
      gone = unreachable.poll();
    }
  }

  private synchronized void giveBack(SeriesReference gone) {
    held.remove(gone);
    takeOut(gone.block);
    int pages = memory.getInt(gone.block + SERIES_PAGES);
    int area = memory.getInt(gone.block + SERIES_FIRST_AREA);
    while (area != 0) {
      int next = memory.getInt(area + AREA_NEXT);
      for (int i = 0; i < pages; i++) {
        int page = memory.getInt(area + AREA_TABLE + i * Integer.BYTES);
        if (page != 0) {
          free(page, PAGE_BYTES);
        }
      }
      free(area, areaBytes(pages));
      area = next;
    }
    free(gone.block, CONTENT + memory.getInt(gone.block + NUMBER));
  }

  /** Out of the list, unless it never came into it. What is cleared is cleared after that. */
  private void takeOut(int block) {
    int link = FIRST_SERIES;
    int next = memory.getInt(link);
    while (next != 0 && next != block) {
      link = next + SERIES_NEXT;
      next = memory.getInt(link);
    }
    if (next == block) {
      INT.setVolatile(memory, link, memory.getInt(block + SERIES_NEXT));
      VarHandle.storeStoreFence();
    }
  }

  private void free(int block, int bytes) {
    int size = aligned(bytes);
    for (int done = 0; done < size; done += ZEROS.length) {
      memory.put(block + done, ZEROS, 0, Math.min(ZEROS.length, size - done));
    }
    file.free(block, size);
  }
}
