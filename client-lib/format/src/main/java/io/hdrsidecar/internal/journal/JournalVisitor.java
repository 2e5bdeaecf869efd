package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;

/**
 * Is told what a {@link JournalReader} finds, in the order of the file. Throws an
 * IllegalArgumentException for what does not belong into a file of its kind: unless it is
 * overridden, for what belongs into a checkpoint.
 */
public interface JournalVisitor {
  /** An interval, whole and checked. */
  void interval(JournalLine line);

  /** A total of a checkpoint, whole and checked. */
  default void total(JournalLine line) {
    throw new IllegalArgumentException("a total belongs into a checkpoint");
  }

  /** An instance said GOODBYE. */
  void goodbye(InstanceId instance, long record);

  /** A series has ended: what comes of its name and labels after this counts from 0. */
  void seriesEnd(SeriesText series, long record);

  /**
   * A checkpoint's last sequence number of an instance.
   *
   * @param awayMillis for how many milliseconds of running time it had not been heard of by then
   */
  default void sequence(InstanceId instance, long sequence, long awayMillis, boolean saidGoodbye) {
    throw new IllegalArgumentException("a sequence number of its own belongs into a checkpoint");
  }

  /**
   * When what follows was written.
   *
   * @param wallMillis milliseconds since the epoch, by a clock that may have been set
   * @param uptimeMillis for how many milliseconds the machine had been running
   * @param boot which start of the machine that counts from; empty when unknown
   */
  default void time(long wallMillis, long uptimeMillis, String boot) {}

  /**
   * Labels that all series of the sender of a spill file have; their definitions have them, too.
   */
  default void commonLabels(Labels labels) {}

  /**
   * The end of a checkpoint or spill file.
   *
   * @param lines how many intervals, totals, sequences and goodbyes it was written with
   */
  default void end(long lines, long lastRecord) {
    throw new IllegalArgumentException("an end belongs into a checkpoint");
  }
}
