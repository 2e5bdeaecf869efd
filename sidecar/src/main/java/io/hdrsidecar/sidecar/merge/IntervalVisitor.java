package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.reading.Distribution;

/** Is shown the intervals of a series, one by one. */
@FunctionalInterface
public interface IntervalVisitor {
  /**
   * One interval, or the sum of neighbours.
   *
   * @param startMillis by the wall clock of the client
   * @param counts valid until this returns
   */
  void visit(long startMillis, long endMillis, Distribution counts);
}
