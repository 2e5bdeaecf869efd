package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.history.HistoryLane;
import io.hdrsidecar.sidecar.history.KeptInterval;
import java.util.ArrayList;
import java.util.List;

/** Copies references to the intervals that overlap a range of time. */
record HistoryCopy(long fromMillis, long toMillis, long limit, List<KeptInterval> into)
    implements SeriesCopy {
  @Override
  public void take(SeriesPart[] parts, long lastRecord, long intervals) {
    into.clear();
    for (SeriesPart part : parts) {
      HistoryLane lane = part.history();
      if (lane != null) {
        lane.copyTo(into, fromMillis, toMillis, limit);
      }
    }
  }

  @Override
  public SeriesCopy another() {
    return new HistoryCopy(fromMillis, toMillis, limit, new ArrayList<>());
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    into.clear();
    into.addAll(((HistoryCopy) filled).into);
  }
}
