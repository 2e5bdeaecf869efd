package io.hdrsidecar.sidecar.merge;

/**
 * Something that copies out of a series. May meet counts in the middle of a change, and is then
 * asked again: it starts anew each time, and throws nothing but RuntimeExceptions.
 */
interface SeriesCopy {
  /**
   * Replaces what was copied before.
   *
   * @param lastRecord the last record of the journal that is in the counts
   * @param intervals how many intervals are in the counts
   */
  void take(SeriesPart[] parts, long lastRecord, long intervals);

  /** One of the same kind, for the writer to fill while this one is still tried by the reader. */
  SeriesCopy another();

  /** Takes over what the other, of the same kind, has copied. */
  void takeOver(SeriesCopy filled);
}
