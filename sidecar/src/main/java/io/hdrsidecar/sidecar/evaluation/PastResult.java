package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.reading.BoundNotes;
import java.util.List;

/**
 * What a query gave at one time that is past.
 *
 * @param samples elements without what changes
 * @param coverage which intervals were read for it first
 * @param bounds how far off its quantiles are; not to be changed
 */
record PastResult(List<Sample> samples, Coverage coverage, BoundNotes bounds) {
  private static final long BYTES = 200;

  /** About how many bytes it takes, the labels aside, which steps share. */
  long cost() {
    long bytes = BYTES;
    for (Sample each : samples) {
      bytes += each.cost();
    }
    return bytes;
  }
}
