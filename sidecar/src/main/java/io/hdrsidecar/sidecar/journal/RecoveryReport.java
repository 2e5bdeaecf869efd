package io.hdrsidecar.sidecar.journal;

import java.time.Duration;

/**
 * The findings of a start.
 *
 * @param series series restored
 * @param checkpointTotals totals taken from the checkpoint, one for each series and layout
 * @param records intervals counted from the files behind it
 * @param damaged records skipped because they could not be read
 * @param missing records that should be there by their numbers and are not, the damaged included
 * @param unrestoredValues values left out of the counts since start, as there was no room for them
 *     within the limits of this start; the journal has them
 * @param tornBytes bytes cut off from the ends of files: records that were being written
 * @param took how long it took
 */
public record RecoveryReport(
    int series,
    long checkpointTotals,
    long records,
    long damaged,
    long missing,
    long unrestoredValues,
    long tornBytes,
    Duration took) {}
