package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.reading.Distribution;

/**
 * How much there is to be read of a series, for those who have to make room before they read. Any
 * thread; may be some moments old.
 */
public final class SeriesSize {
  private SeriesSize() {}

  /** What a {@link Distribution} takes at most that reads it. O(layouts). */
  public static long distributionBytes(Series series) {
    return Distribution.bytesFor(counters(series), series.layouts().size());
  }

  /** What its counters take at most that have counts, since start or in a window. O(layouts). */
  public static long countersBytes(Series series) {
    return Long.BYTES * counters(series);
  }

  private static long counters(Series series) {
    long bytes = 0;
    for (SeriesPart part : series.parts()) {
      bytes += part.committedBytes(); // as with counters of 32 bits
    }
    return bytes / Integer.BYTES;
  }
}
