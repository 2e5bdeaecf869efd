package io.hdrsidecar.sidecar.evaluation;

import java.util.List;

/**
 * What a query gave at one time that is past.
 *
 * @param samples elements without what changes
 * @param coverage which intervals were read for it first
 */
record CachedStep(List<Sample> samples, Coverage coverage) {
  private static final long BYTES = 160;

  /** About how many bytes it takes, the labels aside, which steps share. */
  long cost() {
    long bytes = BYTES;
    for (Sample each : samples) {
      bytes += each.cost();
    }
    return bytes;
  }
}
