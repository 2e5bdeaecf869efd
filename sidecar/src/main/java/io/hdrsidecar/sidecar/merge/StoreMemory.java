package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.memory.MemoryItem.OBJECT_BYTES;
import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.List;

/**
 * What the series may hold at most. Sizes are those of a 64-bit JVM with compressed references; a
 * heap of 32 GiB or more has larger ones.
 */
public final class StoreMemory {
  private static final int PAGE_COUNTERS = 128;

  /** Counters, and their total. */
  private static final long PAGE_BYTES = OBJECT_BYTES + (PAGE_COUNTERS + 1) * Long.BYTES;

  private static final long REFERENCE_BYTES = 4;

  /** In a step a bucket has at most 1 byte of distance, as they add up to the range, and 9. */
  private static final long STEP_BUCKET_BYTES = 10;

  /** Series, reference, counters, place in the table. */
  private static final long SERIES_OBJECTS_BYTES = 512;

  /** Part, total, sum, layout, registration, and what a window has besides its counts. */
  private static final long PART_OBJECTS_BYTES = 320;

  private static final long WINDOW_OBJECTS_BYTES = 192;
  private static final long STEP_OBJECTS_BYTES = 128;

  /** A name of 200 characters, six names of metrics made of it, a help of 1024 characters. */
  private static final long NAME_BYTES = 8 * (200 + 64) + 2 * 1024 + 6 * 48 + 512;

  private static final int MAX_LABELS = 32;

  /** Two strings and a node of a tree. */
  private static final long LABEL_OBJECTS_BYTES = 2 * 48 + 40;

  /** Lists of buckets being decoded, joined and encoded, while they grow. */
  private static final long SCRATCH_BYTES_A_COUNTER = 256;

  /** Three runs of a distribution, while they grow, for scrapes and two queries. */
  private static final long READER_BYTES_A_COUNTER = 3 * 3 * 48;

  private StoreMemory() {}

  /** Items for these limits. */
  public static List<MemoryItem> items(MergeConfig config) {
    long series = 2L * config.maxSeries();
    long parts = times(series, config.maxLayouts());
    long counters = config.maxCounters();
    return List.of(
        new MemoryItem(
            "counts",
            times(parts, pagedBytes(counters)),
            "2 * series.max (overflow) * series.max-layouts * series.max-counters * 8 bytes"),
        new MemoryItem(
            "windows",
            times(parts, windowsBytes(config.windows(), counters)),
            "the same for each of windows, and 10 to 12.5 bytes a counter for each of its steps"),
        new MemoryItem(
            "series",
            plus(
                times(series, SERIES_OBJECTS_BYTES + SeriesExemplars.MOST_BYTES + 2 * NAME_BYTES),
                times(parts, PART_OBJECTS_BYTES)),
            "objects and exemplars of 2 * series.max, and names of these and as many that ended"),
        new MemoryItem(
            "labels",
            times(3, config.maxSeries(), labelsBytes(config.maxLabelLength())),
            "series.max living and twice as many ended, series.max-label-length characters each"),
        new MemoryItem(
            "merging", times(counters, SCRATCH_BYTES_A_COUNTER), "one interval being merged"),
        new MemoryItem(
            "reading",
            times(config.maxLayouts(), counters, READER_BYTES_A_COUNTER),
            "one series being scraped and two asked for"));
  }

  private static long pagedBytes(long counters) {
    long pages = (counters + PAGE_COUNTERS - 1) / PAGE_COUNTERS;
    return OBJECT_BYTES + times(pages, PAGE_BYTES + REFERENCE_BYTES);
  }

  private static long windowsBytes(List<WindowSpec> windows, long counters) {
    long bytes = 0;
    for (WindowSpec window : windows) {
      long steps = window.steps() + 1L;
      long stepBytes = times(counters, STEP_BUCKET_BYTES) / 4 * 5 + STEP_OBJECTS_BYTES;
      bytes =
          plus(
              bytes,
              WINDOW_OBJECTS_BYTES,
              pagedBytes(counters),
              times(steps, stepBytes + REFERENCE_BYTES));
    }
    return bytes;
  }

  /** Characters outside Latin-1 take two bytes. */
  static long labelsBytes(int maxLength) {
    return 2L * maxLength + MAX_LABELS * LABEL_OBJECTS_BYTES + 160;
  }
}
