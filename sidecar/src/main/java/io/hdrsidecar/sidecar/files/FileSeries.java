package io.hdrsidecar.sidecar.files;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.history.PastSeries;
import java.util.ArrayList;
import java.util.List;

/** The intervals of one series, each layout of each file apart. Filled, then read. */
final class FileSeries {
  private final SeriesKey key;
  private final Unit unit;
  private final List<FileLane> lanes = new ArrayList<>();

  FileSeries(SeriesKey key, Unit unit) {
    this.key = key;
    this.unit = unit;
  }

  SeriesKey key() {
    return key;
  }

  List<FileLane> lanes() {
    return lanes;
  }

  /** Almost always there is one, so a walk is quicker than a map. */
  FileLane lane(LogFileBytes file, BucketLayout layout) {
    for (FileLane lane : lanes) {
      if (lane.file() == file && lane.layout().equals(layout)) {
        return lane;
      }
    }
    FileLane lane = new FileLane(file, layout);
    lanes.add(lane);
    return lane;
  }

  PastSeries past() {
    long from = lanes.stream().mapToLong(FileLane::fromMillis).min().orElse(0);
    long to = lanes.stream().mapToLong(FileLane::toMillis).max().orElse(0);
    return new PastSeries(key, unit, "", from, to);
  }
}
