package io.hdrsidecar.sidecar.merge;

import static io.hdrsidecar.sidecar.memory.MemoryItem.OBJECT_BYTES;
import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.interval.SeriesKey;
import io.hdrsidecar.interval.SparseCounts;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What the series may hold at most. Sizes are those of a 64-bit JVM with compressed references; a
 * heap of 32 GiB or more has larger ones.
 */
public final class StoreMemory {
  private static final int PAGE_COUNTERS = 128;

  /** Counters, and the sums of each 16, as wide as counters can become. */
  private static final long PAGE_BYTES =
      OBJECT_BYTES + (PAGE_COUNTERS + PAGE_COUNTERS / 16) * Long.BYTES;

  private static final long REFERENCE_BYTES = 4;

  /** A reference to a page, and its sum. */
  private static final long PAGE_ENTRY_BYTES = REFERENCE_BYTES + Long.BYTES;

  /** Of a table that grew, an eighth may be spare. */
  private static final long TABLE_SPARE = 8;

  /**
   * A packed bucket has at most 1 byte of distance, as they add up to the range, and 9 of count.
   */
  private static final long INTERVAL_BUCKET_BYTES = 10;

  /** Of steps with several intervals as much may wait to be added to the first. */
  private static final long STEP_BUCKET_BYTES = 2 * INTERVAL_BUCKET_BYTES;

  /** Series, reference, counters, place in the table. */
  static final long SERIES_OBJECTS_BYTES = 512;

  /** Part, total, sum, layout, registration, and what a window has besides its counts. */
  private static final long PART_OBJECTS_BYTES = 320;

  private static final long WINDOW_OBJECTS_BYTES = 224;
  private static final long STEP_OBJECTS_BYTES = 192;

  /** A name of 200 characters, six names of metrics made of it, a help of 1024 characters. */
  private static final long NAME_BYTES = nameBytes(200, 1024);

  private static final int MAX_LABELS = 32;

  /** Two strings and a node of a tree. */
  private static final long LABEL_OBJECTS_BYTES = 2 * 48 + 40;

  /** Lists of buckets being decoded, joined and encoded, while they grow. */
  private static final long SCRATCH_BYTES_A_COUNTER = 256;

  /** Three runs of a distribution, while they grow, for scrapes and two queries. */
  private static final long READER_BYTES_A_COUNTER = 3 * 3 * 48;

  /** Name of the item that stands for all that series hold where their budget bounds it. */
  private static final String HELD = "series_memory";

  private StoreMemory() {}

  /**
   * Items for these limits. What series hold is bounded twice, by the number of everything and by
   * {@link MergeConfig#maxMemoryBytes}; the smaller bound is stated.
   */
  public static List<MemoryItem> items(MergeConfig config) {
    List<MemoryItem> items = new ArrayList<>();
    if (productBytes(config) <= budgetBytes(config)) {
      items.addAll(heldItems(config));
    } else {
      items.add(
          new MemoryItem(
              HELD,
              budgetBytes(config),
              "series.max-memory, and what an interval of series.max-counters adds to windows"));
    }
    items.add(
        new MemoryItem(
            "merging",
            times(config.maxCounters(), SCRATCH_BYTES_A_COUNTER),
            "one interval being merged"));
    items.add(
        new MemoryItem(
            "reading",
            times(config.maxLayouts(), config.maxCounters(), READER_BYTES_A_COUNTER),
            "one series being scraped and two asked for"));
    return items;
  }

  /** Most bytes that all series hold for as long as they live. */
  public static long heldBytes(MergeConfig config) {
    return Math.min(productBytes(config), budgetBytes(config));
  }

  private static long productBytes(MergeConfig config) {
    return plus(heldItems(config).stream().mapToLong(MemoryItem::maxBytes).toArray());
  }

  /** Windows are given up after an interval has been added to them, in one step of each. */
  private static long budgetBytes(MergeConfig config) {
    long bytes = config.maxMemoryBytes();
    for (WindowSpec window : config.windows()) {
      long ring = times(window.steps() + 1L, REFERENCE_BYTES);
      long step = stepBytes(config.maxCounters(), INTERVAL_BUCKET_BYTES);
      bytes = plus(bytes, pagedBytes(config.maxCounters()), ring, step);
    }
    return bytes;
  }

  /** A sixteenth is spare. */
  private static long stepBytes(long counters, long bucketBytes) {
    return plus(times(counters, bucketBytes) / 16 * 17, STEP_OBJECTS_BYTES);
  }

  /** What the numbers of series, layouts, counters and steps allow, without a budget. */
  static List<MemoryItem> heldItems(MergeConfig config) {
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
            "the same for each of windows, and 10 to 21 bytes a counter for each of its steps"),
        new MemoryItem(
            "series",
            plus(
                times(series, SERIES_OBJECTS_BYTES + SeriesExemplars.MOST_BYTES + 2 * NAME_BYTES),
                times(parts, PART_OBJECTS_BYTES)),
            "objects and exemplars of 2 * series.max, and names of these and as many that ended"),
        new MemoryItem(
            "labels",
            times(3, config.maxSeries(), labelsBytes(config.maxLabelLength())),
            "series.max living and twice as many ended, series.max-label-length characters each"));
  }

  /**
   * Most that counts grow with these.
   *
   * @param maxCounters how far tables may reach
   */
  static long mostGrowth(SparseCounts counts, int maxCounters) {
    if (counts.size() == 0) {
      return 0;
    }
    int last = counts.indexAt(counts.size() - 1) / PAGE_COUNTERS;
    int pages = Math.min(counts.size(), last - counts.indexAt(0) / PAGE_COUNTERS + 1);
    return pages * PAGE_BYTES + tableBytes(pages(maxCounters));
  }

  /** A part and its empty windows. */
  static long partObjectsBytes(int windows) {
    return PART_OBJECTS_BYTES + windows * WINDOW_OBJECTS_BYTES;
  }

  /** What a series is known by, while it lives and afterwards. */
  static long identityBytes(SeriesKey key, String help) {
    long[] bytes = {nameBytes(key.name().length(), help.length()) + 160};
    key.labels()
        .forEach(
            (name, value) ->
                bytes[0] += 2L * (name.length() + value.length()) + LABEL_OBJECTS_BYTES);
    return bytes[0];
  }

  private static long nameBytes(int nameLength, int helpLength) {
    return 8L * (nameLength + 64) + 2L * helpLength + 6 * 48 + 512;
  }

  private static long pagedBytes(long counters) {
    long pages = pages(counters);
    return plus(2 * OBJECT_BYTES, times(pages, PAGE_BYTES), tableBytes(pages));
  }

  private static long pages(long counters) {
    return (counters + PAGE_COUNTERS - 1) / PAGE_COUNTERS;
  }

  private static long tableBytes(long pages) {
    return (pages + pages / TABLE_SPARE) * PAGE_ENTRY_BYTES;
  }

  private static long windowsBytes(List<WindowSpec> windows, long counters) {
    long bytes = 0;
    for (WindowSpec window : windows) {
      long steps = window.steps() + 1L;
      bytes =
          plus(
              bytes,
              WINDOW_OBJECTS_BYTES,
              pagedBytes(counters),
              times(steps, plus(stepBytes(counters, STEP_BUCKET_BYTES), REFERENCE_BYTES)));
    }
    return bytes;
  }

  /** Characters outside Latin-1 take two bytes. */
  static long labelsBytes(int maxLength) {
    return 2L * maxLength + MAX_LABELS * LABEL_OBJECTS_BYTES + 160;
  }
}
