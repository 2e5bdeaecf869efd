package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.util.concurrent.Executor;

/**
 * Where merged intervals are written down, so that a restart loses none. Records are numbered in
 * the order in which they are appended; appending never waits, so a record is durable only later.
 *
 * <p>Merge context only.
 */
public interface IntervalLog {
  /** Writes nothing down: everything is as durable at once as it will ever be. */
  IntervalLog NONE = new NoLog();

  /**
   * Begins. Before the first merge.
   *
   * @param mergeContext runs tasks on the thread that calls all methods here
   * @param onDurable called there whenever {@link #durableRecord} has risen or {@link #isFull} has
   *     become false
   */
  void start(Executor mergeContext, Runnable onDurable);

  /**
   * Appends an interval that is about to be merged.
   *
   * @param sender all zero if the interval has no sequence number
   * @param figures its sum and extremes
   * @return the number of its record, larger than any before
   */
  long append(
      InstanceId sender,
      long sequence,
      Series series,
      DecodedHistogram histogram,
      IntervalCounts figures,
      long startMillis,
      long endMillis);

  /** Appends that an instance will send nothing more. */
  void appendGoodbye(InstanceId sender);

  /**
   * Appends that a series has ended, and with it all that was counted in it. What is merged under
   * its name later counts from 0.
   *
   * @return the number of its record
   */
  long appendEnd(Series ended);

  /** Number of the last record appended; 0 for none. */
  long lastRecord();

  /** Every record up to this number is durable, or will never be more durable than it is. */
  long durableRecord();

  /**
   * Runs a task on the merge context once everything appended by now is durable, at once if it is.
   */
  void whenDurable(Runnable task);

  /** Whether so much waits to be written that nothing more should be read from clients. */
  boolean isFull();
}
