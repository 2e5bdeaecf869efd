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
      ExtentCopy copy = new ExtentCopy();
      each.read(copy);
      extent = extent.and(copy.extent);
    }
    return extent;
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
