package io.hdrsidecar.client;

import java.time.Instant;
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
    long startSeconds,
    LongAdder overflowedLookups,
    LongAdder discardedValues,
    LongAdder lostBackFill) {
  RecordingTally() {
    this(Instant.now().getEpochSecond(), new LongAdder(), new LongAdder(), new LongAdder());
  }

  /** As they travel in HEALTH. */
  Map<String, Long> asHealth() {
    return Map.of(
        "start_time_seconds", startSeconds,
        "overflowed_lookups_total", overflowedLookups.sum(),
        "discarded_values_total", discardedValues.sum(),
        "lost_back_fill_values_total", lostBackFill.sum());
  }
}
