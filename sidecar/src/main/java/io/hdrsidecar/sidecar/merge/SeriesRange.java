package io.hdrsidecar.sidecar.merge;

/** The range of values that those who send to a series have configured. */
public final class SeriesRange {
  private SeriesRange() {}

  /** The highest trackable value that any of them registered with, in any layout. Any thread. */
  public static long highestTrackableValue(Series series) {
    long highest = 0;
    for (SeriesPart part : series.parts()) {
      highest = Math.max(highest, part.registration().highestTrackableValue());
    }
    return highest;
  }
}
