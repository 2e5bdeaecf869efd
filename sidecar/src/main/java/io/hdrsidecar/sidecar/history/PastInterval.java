package io.hdrsidecar.sidecar.history;

import java.io.IOException;

/**
 * A reference to an interval of the past, or to the sum of neighbours: when it was, and on demand
 * what was counted in it. Where that is depends on the {@link PastSource}: in memory, or in a line
 * of a file. Any thread.
 */
public interface PastInterval {
  /** Its start, milliseconds since the epoch by the clock of the client. */
  long startMillis();

  /** Its end; not before the start. */
  long endMillis();

  /** The moment half-way between start and end. */
  default long middleMillis() {
    long start = startMillis();
    long end = endMillis();
    return (start & end) + ((start ^ end) >> 1); // cannot overflow
  }

  /**
   * Adds its counts. O(its non-zero buckets); may read from a file.
   *
   * @throws IOException saying which interval cannot be read any more, and why; nothing is added
   * @throws ArithmeticException when the count of a layout would pass {@link Long#MAX_VALUE}
   */
  void addTo(IntervalSum sum) throws IOException;
}
