package io.hdrsidecar.sidecar.limits;

import static io.hdrsidecar.sidecar.memory.MemoryItem.OBJECT_BYTES;
import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.sidecar.memory.HeapBudget;
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
  public static final long SERIES_OBJECTS_BYTES = 512;

  /** Part, total, sum, layout, registration, and what a window has besides its counts. */
  private static final long PART_OBJECTS_BYTES = 320;

  private static final long WINDOW_OBJECTS_BYTES = 224;
  private static final long STEP_OBJECTS_BYTES = 192;

  /** A name of 200 characters, six names of metrics made of it, a help of 1024 characters. */
  private static final long NAME_BYTES = nameBytes(200, 1024);

  private static final int MAX_LABELS = 32;

  /** Two strings and a node of a tree. */
  private static final long LABEL_OBJECTS_BYTES = 2 * 48 + 40;

  /**
   * Of an interval that uses every counter with counts of 63 bits: inflated 12 bytes, decoded 15,
   * packed 13, read back from a step 12, steps added up 11 and packed 13, encoded for the journal
   * 12, what is copied while the longest of these grows 12. And inflated and decoded 28 each of a
   * spill file and of an upload, which are read at the same time.
   */
  private static final long MERGING_BYTES_A_COUNTER = 100 + 2 * 28;

  /** 1 ns to 1 h with 3 digits, as recorders have it unless told otherwise. */
  private static final int LEAST_COUNTERS = 33_792;

  /** 1 ns to 1 h with 4 digits fits; 5 digits over that range does not. */
  private static final int MOST_COUNTERS = 524_288;

  /** Formats and spellings of names in which pages keep names and places of series. */
  private static final long SPELLINGS = 6;

  /** How many spellings of labels are kept encoded; both formats of text have one of these. */
  private static final long KEPT_SPELLINGS = 2;

  private static final long SHOWN_OBJECTS_BYTES = SPELLINGS * 176;

  /** A definition for the journal, its places in maps, and as much of a series that has ended. */
  private static final long WRITTEN_OBJECTS_BYTES = 2 * 300;

  /** In each of these a definition has name and labels twice. */
  private static final long WRITTEN_COPIES = 2 * 2;

  /** Most exemplars of a series. */
  public static final int EXEMPLARS = 8;

  /**
   * Most bytes they take: objects, ids of full length, and the list.
   *
   * @see io.hdrsidecar.internal.interval.Exemplar#MAX_TRACE_ID
   */
  public static final long EXEMPLARS_BYTES = EXEMPLARS * (32L + 2 * 40 + 64 + 32 + 4) + 64;

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
              "series.max-memory, with windows, names and all copies of labels"));
    }
    items.add(
        new MemoryItem(
            "merging",
            mergingBytes(config.maxCounters()),
            "one interval being merged, and those being read: series.max-counters * 156 bytes"));
    return items;
  }

  /** The default of {@code series.max-counters} in a heap of this size. */
  public static int maxCounters(long heapBytes) {
    long room = HeapBudget.percentOf(HeapBudget.MERGING_PERCENT, heapBytes);
    return (int) Math.max(LEAST_COUNTERS, Math.min(MOST_COUNTERS, room / MERGING_BYTES_A_COUNTER));
  }

  /** What merging takes with so many counters. */
  public static long mergingBytes(long counters) {
    return times(counters, MERGING_BYTES_A_COUNTER);
  }

  /** Most bytes that all series hold for as long as they live. */
  public static long heldBytes(MergeConfig config) {
    return Math.min(productBytes(config), budgetBytes(config));
  }

  private static long productBytes(MergeConfig config) {
    return MemoryItem.totalBytes(heldItems(config));
  }

  private static long budgetBytes(MergeConfig config) {
    long limit = config.maxMemoryBytes();
    return Math.max(limit, plus(limit / 10 * 9, intervalInWindows(config)));
  }

  /**
   * What windows may grow with one interval: they are given up after it has been added to them, to
   * one step of each.
   */
  static long intervalInWindows(MergeConfig config) {
    long bytes = 0;
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
                times(
                    series,
                    SERIES_OBJECTS_BYTES
                        + SHOWN_OBJECTS_BYTES
                        + EXEMPLARS_BYTES
                        + 2 * NAME_BYTES
                        + shownNameBytes(200, 1024)),
                times(parts, PART_OBJECTS_BYTES)),
            "objects and exemplars of 2 * series.max, and names of these and as many that ended"),
        new MemoryItem(
            "labels",
            plus(
                times(3, config.maxSeries(), labelsBytes(config.maxLabelLength())),
                times(config.maxSeries(), KEPT_SPELLINGS * 9 * config.maxLabelLength()),
                times(
                    config.maxSeries(),
                    config.maxLayouts(),
                    plus(WRITTEN_OBJECTS_BYTES, WRITTEN_COPIES * 9 * config.maxLabelLength()))),
            "series.max living and twice as many ended, series.max-label-length characters each,"
                + " and as pages and the journal write them"));
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
  public static long partObjectsBytes(int windows) {
    return PART_OBJECTS_BYTES + windows * WINDOW_OBJECTS_BYTES;
  }

  /** Labels of a series that lives, as pages keep them. */
  public static long shownBytes(SeriesKey key) {
    return SHOWN_OBJECTS_BYTES + KEPT_SPELLINGS * escapedBytes(key);
  }

  /** Name and labels of a series in one layout, as the journal keeps them. */
  public static long writtenBytes(SeriesKey key) {
    return WRITTEN_OBJECTS_BYTES + WRITTEN_COPIES * (escapedBytes(key) + key.name().length());
  }

  /** The names of all metrics of a name, as pages keep them. */
  public static long shownNameBytes(int nameLength, int helpLength) {
    return SPELLINGS * (700 + 8L * nameLength + 2L * helpLength);
  }

  private static long escapedBytes(SeriesKey key) {
    long[] bytes = {0};
    key.labels().forEach((name, value) -> bytes[0] += name.length() + escapedBytes(value) + 8);
    return bytes[0];
  }

  /** At most three bytes in UTF-8, each written as three characters. */
  private static long escapedBytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      bytes += plain ? 1 : c < 0x80 ? 3 : 9;
    }
    return bytes;
  }

  /** What a series is known by, while it lives and afterwards. */
  public static long identityBytes(SeriesKey key, String help) {
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
