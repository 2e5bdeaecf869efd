package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.history.HistoryLane;
import io.hdrsidecar.sidecar.history.HistorySlices;

/** Copies references to the intervals that overlap a range of time. */
record HistoryCopy(long fromMillis, long toMillis, HistorySlices into) implements SeriesCopy {
  @Override
  public void take(SeriesPart[] parts, long lastRecord, long intervals) {
    into.clear();
    for (SeriesPart part : parts) {
      HistoryLane lane = part.history();
      if (lane != null) {
        lane.copyTo(into, fromMillis, toMillis);
      }
    }
  }

  @Override
  public SeriesCopy another() {
    return new HistoryCopy(fromMillis, toMillis, into.another());
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    into.takeOver(((HistoryCopy) filled).into);
  }
}
