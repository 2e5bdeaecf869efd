package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.limits.StoreMemory;
import io.hdrsidecar.sidecar.reading.Distribution;

/**
 * The memory that a series takes, in bytes. O(layouts); approximate while another thread writes.
 */
public final class SeriesBytes {
  private SeriesBytes() {}

  /** Counters and steps, of counts since start and of windows. */
  static long ofCounts(Series series) {
    long bytes = 0;
    for (SeriesPart part : series.parts()) {
      bytes += part.totalBytes() + part.windowBytes();
    }
    return bytes;
  }

  /**
   * The bytes that a {@link Distribution} takes at most that reads it, so that there is room before
   * it is read.
   */
  public static long ofDistribution(Series series) {
    return Distribution.bytesFor(counters(series), series.layouts().size());
  }

  /** The bytes that its counters take at most that have counts, since start or in a window. */
  public static long ofCounters(Series series) {
    return Long.BYTES * counters(series);
  }

  private static long counters(Series series) {
    long bytes = 0;
    for (SeriesPart part : series.parts()) {
      bytes += part.committedBytes(); // as with counters of 32 bits
    }
    return bytes / Integer.BYTES;
  }

  /** The bytes that the windows hold; 0 for new ones. */
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
            + StoreMemory.EXEMPLARS_BYTES
            + StoreMemory.shownBytes(series.key());
    long written = StoreMemory.writtenBytes(series.key());
    for (SeriesPart part : series.parts()) {
      bytes += StoreMemory.partObjectsBytes(part.windowCount()) + part.committedBytes();
      bytes += written + part.layout().heapBytes();
    }
    return bytes;
  }

  /** The part of that which its counters do not take yet. */
  static long untaken(Series series) {
    long bytes = 0;
    for (SeriesPart part : series.parts()) {
      bytes += part.untakenBytes();
    }
    return bytes;
  }
}
