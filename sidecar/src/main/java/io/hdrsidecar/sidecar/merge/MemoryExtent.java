package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.HistoryLane;

/** From when to when the history in memory has intervals, of one series or of all. */
public final class MemoryExtent {
  private MemoryExtent() {}

  /** Of all series of a store. Any thread; O(series). */
  public static HistoryExtent of(SeriesStore store) {
    HistoryExtent extent = HistoryExtent.EMPTY;
    for (Series each : store.livingSeries()) {
      extent = extent.and(of(each));
    }
    return extent;
  }

  /** Of one series; by the clocks of its clients. Any thread; O(layouts). */
  public static HistoryExtent of(Series series) {
    ExtentCopy copy = new ExtentCopy();
    series.read(copy);
    return copy.extent;
  }

  private static final class ExtentCopy implements SeriesCopy {
    private HistoryExtent extent = HistoryExtent.EMPTY;

    @Override
    public void take(SeriesPart[] parts, long lastRecord, long intervals) {
      extent = HistoryExtent.EMPTY;
      for (SeriesPart part : parts) {
        HistoryLane lane = part.history();
        if (lane != null) {
          extent = extent.and(lane.extent());
        }
      }
    }

    @Override
    public SeriesCopy another() {
      return new ExtentCopy();
    }

    @Override
    public void takeOver(SeriesCopy filled) {
      extent = ((ExtentCopy) filled).extent;
    }
  }
}
