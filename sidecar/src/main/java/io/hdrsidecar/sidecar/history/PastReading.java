package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.List;
import java.util.Map;

/**
 * What a {@link PastSource} has of one range of time, as of the moment it was opened. One thread at
 * a time; the intervals it gave can be read until it is closed.
 */
public interface PastReading extends AutoCloseable {
  /**
   * The series that have, or may have, an interval that overlaps the range; in no order. There may
   * be others, if there are too many to know: {@link #warnings} says so then.
   */
  List<PastSeries> series();

  /**
   * Whether every record of the journal from the first to the last can be read here. Those of all
   * series are numbered together, so a number that is missing may be of any.
   */
  boolean hasAll(long firstRecord, long lastRecord);

  /**
   * References to the intervals of a series that overlap the range, each once.
   *
   * @param series one of {@link #series}, or any other of which there may be some
   * @param except by layout, the numbers of records that are not wanted, since memory has them
   * @param limit with more than these, one more is given and the rest left out
   */
  List<PastInterval> intervals(
      PastSeries series, Map<BucketLayout, RecordRanges> except, int limit);

  /** What could not be taken hold of, in words; nothing else is missing. */
  List<String> warnings();

  /** Lets go. */
  @Override
  void close();
}
