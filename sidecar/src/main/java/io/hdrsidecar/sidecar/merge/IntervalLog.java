package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.util.concurrent.Executor;

/**
 * Where merged intervals are written down, so that a restart loses none. Records are numbered in
 * the order in which they are appended; appending never waits, so a record is durable only later.
 *
 * <p>Methods that are not overridden write nothing down. Merge context only.
 */
public interface IntervalLog {
  /** Writes nothing down: everything is as durable at once as it will ever be. */
  IntervalLog NONE = new IntervalLog() {};

  /** Whether anything is written down, so that numbers outlive this process. */
  default boolean keepsRecords() {
    return this != NONE;
  }

  /**
   * Begins. Before the first merge.
   *
   * @param mergeContext runs tasks on the thread that calls all methods here
   * @param onDurable called there whenever {@link #durableRecord} has risen or {@link #isFull} has
   *     become false
   */
  default void start(Executor mergeContext, Runnable onDurable) {}

  /**
   * Appends an interval that is about to be merged.
   *
   * @param sender all zero if the interval has no sequence number
   * @param interval its counts, sum and extremes
   * @return the number of its record, larger than any before
   */
  default long append(
      InstanceId sender,
      long sequence,
      Series series,
      DecodedHistogram histogram,
      IntervalCounts interval,
      long startMillis,
      long endMillis) {
    return 0;
  }

  /** Appends that an instance will send nothing more. */
  default void appendGoodbye(InstanceId sender) {}

  /**
   * Appends that a series has ended, and with it all that was counted in it. What is merged under
   * its name later counts from 0.
   *
   * @return the number of its record
   */
  default long appendEnd(Series ended) {
    return 0;
  }

  /** Number of the last record appended; 0 for none. */
  default long lastRecord() {
    return 0;
  }

  /** Every record up to this number is durable, or will never be more durable than it is. */
  default long durableRecord() {
    return lastRecord();
  }

  /**
   * Runs a task on the merge context once everything appended by now is durable, at once if it is.
   */
  default void whenDurable(Runnable task) {
    task.run();
  }

  /** Whether so much waits to be written that nothing more should be read from clients. */
  default boolean isFull() {
    return false;
  }
}
