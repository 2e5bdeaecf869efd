package io.hdrsidecar.sidecar.merge;

/**
 * Copies the counts since start, or of a window, into a distribution.
 *
 * @param which number of the window, or {@link SeriesPart#TOTAL}
 */
record DistributionCopy(int which, Distribution into) implements SeriesCopy {
  @Override
  public void take(SeriesPart[] parts, long lastRecord, long intervals) {
    into.clear();
    for (SeriesPart part : parts) {
      part.copyTo(into, which);
    }
  }

  @Override
  public SeriesCopy another() {
    return new DistributionCopy(which, new Distribution());
  }

  @Override
  public void takeOver(SeriesCopy filled) {
    into.clear();
    into.add(((DistributionCopy) filled).into);
  }
}
