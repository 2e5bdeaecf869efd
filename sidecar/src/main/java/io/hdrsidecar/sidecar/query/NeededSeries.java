package io.hdrsidecar.sidecar.query;

import java.util.List;

/**
 * What a query must be given of series that are elsewhere, so that its answer is that of one store
 * with all of them.
 *
 * @param series each of those it is about meets one of these at least
 * @param allNames whether it must know the names of all other series, too
 * @param counts what it reads of each
 * @param fromMillis start of the past that it reads, milliseconds since the epoch
 * @param toMillis its end, excluded; not after the start for none
 */
public record NeededSeries(
    List<SeriesFilter> series, boolean allNames, Counts counts, long fromMillis, long toMillis) {
  /** What is read of a series; each has what those before it have. */
  public enum Counts {
    /** Its name, labels, layouts and times; of the past no more than which series there were. */
    NAMES,
    /** What it counted since start, and in the intervals of the past. */
    TOTALS,
    /** What its windows hold, too. */
    WINDOWS
  }

  /** No series at all. */
  public static final NeededSeries NOTHING = of(List.of(), Counts.NAMES);

  /** Takes a copy of the list. */
  public NeededSeries {
    series = List.copyOf(series);
  }

  /** Nothing of the past. */
  public static NeededSeries of(List<SeriesFilter> series, Counts counts) {
    return new NeededSeries(series, false, counts, 0, 0);
  }

  /** The same with a part of the past. */
  public NeededSeries with(TimeRange past) {
    return with(past.startMillis(), past.endMillis());
  }

  /** The same with a part of the past; no times are too far away. */
  public NeededSeries with(long pastFromMillis, long pastToMillis) {
    return new NeededSeries(series, allNames, counts, pastFromMillis, pastToMillis);
  }

  /** The same with the names of all series. */
  public NeededSeries withAllNames() {
    return new NeededSeries(series, true, counts, fromMillis, toMillis);
  }

  /** Whether any of the past is read. */
  public boolean isAboutPast() {
    return fromMillis < toMillis;
  }
}
