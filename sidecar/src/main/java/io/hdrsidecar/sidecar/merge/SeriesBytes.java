package io.hdrsidecar.sidecar.merge;

import java.util.Arrays;

/** What a series takes, in bytes. O(layouts); approximate while another thread writes. */
final class SeriesBytes {
  private SeriesBytes() {}

  /** Counters and steps, of counts since start and of windows. */
  static long ofCounts(Series series) {
    return Arrays.stream(series.parts())
        .mapToLong(part -> part.totalBytes() + part.windowBytes())
        .sum();
  }

  /** What the windows hold; 0 for new ones. */
  static long ofWindows(Series series) {
    long bytes = 0;
    for (SeriesPart part : series.parts()) {
      bytes += part.windowBytes();
    }
    return bytes;
  }

  /**
   * All but its name and what the windows hold, as the budget reckons it. Not for each interval.
   */
  static long lasting(Series series) {
    long bytes =
        StoreMemory.SERIES_OBJECTS_BYTES
            + SeriesExemplars.MOST_BYTES
            + StoreMemory.shownBytes(series.key());
    long written = StoreMemory.writtenBytes(series.key());
    for (SeriesPart part : series.parts()) {
      bytes += StoreMemory.partObjectsBytes(part.windowCount()) + part.committedBytes() + written;
    }
    return bytes;
  }

  /** What of that its counters do not take yet. */
  static long untaken(Series series) {
    long bytes = 0;
    for (SeriesPart part : series.parts()) {
      bytes += part.untakenBytes();
    }
    return bytes;
  }
}
