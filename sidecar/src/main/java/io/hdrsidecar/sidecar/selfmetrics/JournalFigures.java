package io.hdrsidecar.sidecar.selfmetrics;

import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Where the figures of the journal can be read; any thread, at any time.
 *
 * @param bytes bytes written since start
 * @param flushes flushes since start
 * @param failures failed attempts to write since start
 * @param unwritten records acknowledged that neither a file nor a checkpoint has
 * @param lag records merged and not yet flushed
 * @param queuedBytes bytes waiting to be written
 * @param files files in the directory
 * @param fileBytes their size
 * @param lastCheckpoint seconds since the epoch; 0 for never
 * @param damaged records that could not be read at start
 * @param missing records that were not there at start
 * @param torn bytes cut off from ends of files at start
 * @param unrestored values that found no room at start
 * @param states 1 for the state it is in, 0 for the others
 */
public record JournalFigures(
    LongSupplier bytes,
    LongSupplier flushes,
    LongSupplier failures,
    LongSupplier unwritten,
    LongSupplier lag,
    LongSupplier queuedBytes,
    LongSupplier files,
    LongSupplier fileBytes,
    LongSupplier lastCheckpoint,
    LongSupplier damaged,
    LongSupplier missing,
    LongSupplier torn,
    LongSupplier unrestored,
    Map<String, LongSupplier> states) {
  /** Takes a copy of the map. */
  public JournalFigures {
    states = Map.copyOf(states);
  }
}
