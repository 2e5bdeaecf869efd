package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;

/**
 * Reads the counts of a series, one layout after the other. Made to be reused; one thread at a
 * time.
 *
 * <p>The counts may change while they are read: then the result is wrong, is thrown away, and the
 * reader is asked again. So it must come to an end on counts that contradict each other, may throw
 * RuntimeExceptions, and must start anew with each {@link #clear}.
 */
public interface CountsReader {
  /** Forgets everything read. */
  void clear();

  /**
   * Reads the counts of one layout of a series.
   *
   * @param sumMinMax of the values counted
   */
  void add(PagedCounts counts, SumMinMax sumMinMax);

  /** All layouts have been added: the last moment at which their counts may be read. */
  default void done() {}

  /** Another of this kind, for the merge context to fill when this one keeps being disturbed. */
  CountsReader another();

  /** Becomes what the other, made by {@link #another}, has read. */
  void takeOver(CountsReader filled);
}
