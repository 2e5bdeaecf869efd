package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.journal.ReadLimits;

/**
 * What a spill file may make its reader hold. A process that can write to the folder can put
 * anything into a file, so this is checked before memory is taken.
 *
 * @param maxFileBytes largest file that is read at all
 * @param maxCounters most counters that a series may need
 * @param reading of one line, and of all definitions
 */
public record SpillLimits(long maxFileBytes, int maxCounters, ReadLimits reading) {
  /** Comments, and what stands in a line beside its payload. */
  private static final int LINE_BYTES = 8 << 10;

  /**
   * Limits of a reader that takes intervals of this size in frames.
   *
   * @param maxBodyBytes longest payload of an interval
   * @param maxDefinitionBytes for definitions of series, as estimated
   */
  public static SpillLimits of(
      long maxFileBytes, int maxCounters, int maxBodyBytes, long maxDefinitionBytes) {
    long base64 = (maxBodyBytes + 2L) / 3 * 4;
    return new SpillLimits(
        maxFileBytes,
        maxCounters,
        new ReadLimits(Math.toIntExact(base64 + LINE_BYTES), maxDefinitionBytes));
  }
}
