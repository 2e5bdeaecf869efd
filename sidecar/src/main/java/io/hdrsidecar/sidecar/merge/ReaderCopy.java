package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.reading.CountsReader;

/**
 * Copies the counts since start, or of a window, into a reader.
 *
 * @param which number of the window, or {@link SeriesPart#TOTAL}
 */
record ReaderCopy(int which, CountsReader into) implements SeriesCopy {
  @Override
  public void take(SeriesPart[] parts, long lastRecord, long intervals) {
    into.clear();
    for (SeriesPart part : parts) {
      part.copyTo(into, which);
    }
    into.done();
  }

  @Override
  public SeriesCopy another() {
    return new ReaderCopy(which, into.another());
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    into.takeOver(((ReaderCopy) filled).into);
  }
}
