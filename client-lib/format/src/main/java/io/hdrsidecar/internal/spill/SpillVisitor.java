package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.InstanceId;

/** Is told what is in a spill file, in the order in which it was or would have been sent. */
public interface SpillVisitor {
  /**
   * A series, before its first interval.
   *
   * @param id of the series in the frames of this file; the first is 1, the next 2. When 1 comes
   *     again, all series told before may be forgotten: those that are needed are told again
   * @param definition with the common labels
   */
  void series(int id, SeriesDefinition definition);

  /**
   * An interval.
   *
   * @param values number of values in it
   * @param frame an INTERVAL frame as PROTOCOL.md draws it
   */
  void interval(InstanceId instance, long sequence, int seriesId, long values, byte[] frame);

  /** An interval of a series that needs more counters than the reader takes memory for. */
  void tooLarge(InstanceId instance, long sequence, int seriesId);
}
