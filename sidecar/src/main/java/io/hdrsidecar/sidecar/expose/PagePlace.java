package io.hdrsidecar.sidecar.expose;

import java.util.Set;

/**
 * How far a page has been written, so that it can go on from there: by whom, or more than once.
 * Immutable; a page in the making holds this and the chunk being sent, whatever its length.
 */
public final class PagePlace {
  private final PageFormat format;
  private final SeriesPages series;
  private final SeriesPages.Index index;
  private final SeriesPlace place;
  private final Set<String> taken;
  private final long newest;
  private final GzipSum sum;
  private final long writtenNanos;
  private final long sentBytes;

  PagePlace(
      PageFormat format,
      SeriesPages series,
      SeriesPages.Index index,
      SeriesPlace place,
      Set<String> taken,
      long newest,
      GzipSum sum,
      long writtenNanos,
      long sentBytes) {
    this.format = format;
    this.series = series;
    this.index = index;
    this.place = place;
    this.taken = taken;
    this.newest = newest;
    this.sum = sum;
    this.writtenNanos = writtenNanos;
    this.sentBytes = sentBytes;
  }

  PagePlace movedTo(SeriesPlace next, GzipSum nextSum, long moreNanos, long moreBytes) {
    return new PagePlace(
        format,
        series,
        index,
        next,
        taken,
        newest,
        nextSum,
        writtenNanos + moreNanos,
        sentBytes + moreBytes);
  }

  PageFormat format() {
    return format;
  }

  SeriesPages series() {
    return series;
  }

  /** Kept so that it lives as long as a page needs it. */
  SeriesPages.Index index() {
    return index;
  }

  SeriesPlace place() {
    return place;
  }

  /** Names that the sidecar's own metrics had when the page was begun. */
  Set<String> taken() {
    return taken;
  }

  /** Number of the newest series that the page shows. */
  long newest() {
    return newest;
  }

  GzipSum sum() {
    return sum;
  }

  long writtenNanos() {
    return writtenNanos;
  }

  long sentBytes() {
    return sentBytes;
  }
}
