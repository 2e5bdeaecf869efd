package io.hdrsidecar.fleet.node;

/** What a series has counted in one step since the last commit. One thread at a time. */
final class PendingStep {
  private final long stepMillis;
  private final SeriesSum sum = new SeriesSum();
  private long startMillis = Long.MAX_VALUE;
  private long endMillis = Long.MIN_VALUE;

  PendingStep(long stepMillis) {
    this.stepMillis = stepMillis;
  }

  /** Start of the step. */
  long stepMillis() {
    return stepMillis;
  }

  SeriesSum sum() {
    return sum;
  }

  void cover(long start, long end) {
    startMillis = Math.min(startMillis, start);
    endMillis = Math.max(endMillis, end);
  }

  /** Start of the first interval, by the clock of its client. */
  long startMillis() {
    return startMillis;
  }

  /** End of the last. */
  long endMillis() {
    return endMillis;
  }
}
