package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.JournalLine;

/**
 * Somebody who takes what was merged along, some time after the journal has it, and at a start
 * needs again what it had not taken. Until then the files that have it stay.
 */
public interface JournalTail {
  /** Takes nothing. */
  JournalTail NONE =
      new JournalTail() {
        @Override
        public long taken() {
          return Long.MAX_VALUE;
        }

        @Override
        public void interval(SeriesDefinition definition, JournalLine line) {}
      };

  /** Every record up to this number is taken, or need not be. Any thread. */
  long taken();

  /**
   * At the start, a record behind that, by ascending number.
   *
   * @param definition of the series that counted it
   * @param line decoded; valid during the call
   */
  void interval(SeriesDefinition definition, JournalLine line);

  /** At the start, so many records behind that are not there any more. */
  default void missing(long records) {}
}
