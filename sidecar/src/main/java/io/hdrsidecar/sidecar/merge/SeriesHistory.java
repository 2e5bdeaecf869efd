package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.history.HistoryLane;
import io.hdrsidecar.sidecar.history.HistoryRange;
import io.hdrsidecar.sidecar.history.HistorySlices;
import io.hdrsidecar.sidecar.reading.Distribution;

/** The history of one series, as all its layouts together have it. */
final class SeriesHistory {
  private SeriesHistory() {}

  /** Any thread: as {@link Series#readHistory}. */
  static HistoryRange sum(Series series, long fromMillis, long toMillis, Distribution into) {
    into.clear();
    return slices(series, fromMillis, toMillis)
        .forEachSum((start, end, counts, exact) -> add(into, counts, exact));
  }

  /** Any thread: as {@link Series#forEachInterval}. */
  static void forEach(Series series, long fromMillis, long toMillis, IntervalVisitor visitor) {
    Distribution one = new Distribution();
    slices(series, fromMillis, toMillis)
        .forEach(
            (start, end, counts, exact) -> {
              one.clear();
              add(one, counts, exact);
              visitor.visit(start, end, one);
            });
  }

  /** Any thread: as {@link Series#historyIntervals}. */
  static HistorySlices slices(Series series, long fromMillis, long toMillis) {
    return slices(series, fromMillis, toMillis, Long.MAX_VALUE);
  }

  /** Any thread: the same, but at most so many. */
  static HistorySlices slices(Series series, long fromMillis, long toMillis, long limit) {
    HistorySlices slices = new HistorySlices(limit);
    series.read(new HistoryCopy(fromMillis, toMillis, slices));
    return slices;
  }

  private static void add(Distribution into, Accumulation counts, boolean exact) {
    into.add(counts.counts(), counts.sum(), exact, counts.min(), counts.max());
  }

  /** Merge context: gives the place of a series in the history back. */
  static void forget(Series series, History history) {
    for (SeriesPart part : series.parts()) {
      HistoryLane lane = part.history();
      if (lane != null) {
        history.release(lane);
      }
    }
  }
}
