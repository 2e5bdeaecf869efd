package io.hdrsidecar.sidecar.files;

import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import java.io.IOException;

/** One line of a log, which is read when it is added up. */
record FileInterval(FileLane lane, int index, FileReading reading) implements PastInterval {
  @Override
  public long startMillis() {
    return lane.startMillis(index);
  }

  @Override
  public long endMillis() {
    return lane.endMillis(index);
  }

  @Override
  public void addTo(IntervalSum sum) throws IOException {
    reading.add(lane, index, sum);
  }
}
