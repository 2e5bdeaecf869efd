package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.memory.HeapBudget;

/**
 * The limits that follow from the journal's share of the heap, in bytes.
 *
 * @param keptBatches batches that are kept to be filled again
 * @param writeBytes text that is handed to the system at once
 * @param definedBytes definitions of series that have ended, and of instances, that an open file
 *     remembers; beyond that it is followed by another
 * @param lines intervals of a file; beyond that it is followed by another, too
 * @param pastBytes names of series, living or ended, that queries find
 */
record JournalLimits(
    int keptBatches, int writeBytes, long definedBytes, long lines, long pastBytes) {
  private static final int MOST_BATCHES = 64;
  private static final int MOST_WRITE_BYTES = 1 << 20;
  private static final int LEAST_WRITE_BYTES = 32 << 10;

  /** A place takes 10 bytes in an array that may have just grown; an index made again as many. */
  private static final int LINE_BYTES = 20;

  static JournalLimits of(HeapBudget heap) {
    long part = JournalMemory.part(heap);
    return new JournalLimits(
        (int) Math.min(MOST_BATCHES, 2 * part / Batch.MOST_KEPT_BYTES),
        (int) Math.max(LEAST_WRITE_BYTES, Math.min(MOST_WRITE_BYTES, part)),
        2 * part,
        3 * part / LINE_BYTES,
        2 * part);
  }
}
