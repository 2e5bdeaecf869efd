package io.hdrsidecar.sidecar.log;

import io.hdrsidecar.wire.InstanceId;

/** Is told what a {@link JournalReader} finds, in the order of the file. */
interface JournalVisitor {
  /** An interval, whole and checked. */
  void interval(JournalLine line);

  /** A total of a checkpoint, whole and checked. */
  void total(JournalLine line);

  /** An instance said GOODBYE. */
  void goodbye(InstanceId instance, long record);

  /** A series has ended: what comes of its name and labels after this counts from 0. */
  void seriesEnd(SeriesText series, long record);

  /** A checkpoint's last sequence number of an instance. */
  void sequence(InstanceId instance, SequenceMemory.Known known);

  /**
   * The end of a checkpoint.
   *
   * @param lines how many totals, sequences and goodbyes it was written with
   */
  void end(long lines, long lastRecord);
}
