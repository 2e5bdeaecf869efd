package io.hdrsidecar.client;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What is counted on the recording side of a client. Any thread.
 *
 * @param overflowedLookups lookups above the series limit
 * @param discardedValues values harvested and thrown away, as warm-up
 * @param lostBackFill back-filled values not recorded because of a limit
 */
record RecordingTally(
    LongAdder overflowedLookups, LongAdder discardedValues, LongAdder lostBackFill) {
  RecordingTally() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }

  /** As they travel in HEALTH. */
  Map<String, Long> asHealth() {
    return Map.of(
        "overflowed_lookups_total", overflowedLookups.sum(),
        "discarded_values_total", discardedValues.sum(),
        "lost_back_fill_values_total", lostBackFill.sum());
  }
}
