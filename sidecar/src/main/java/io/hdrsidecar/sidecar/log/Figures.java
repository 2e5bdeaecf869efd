package io.hdrsidecar.sidecar.log;

import java.nio.ByteBuffer;

/** What a line says besides its series. A flyweight, filled again for each line. */
final class Figures {
  long record;

  /** Sequence number of an interval, -1 for GOODBYE; number of intervals of a total. */
  long sequence;

  long startMillis;
  long endMillis;
  long sumHigh;
  long sumLow;
  boolean sumExact;
  long min;
  long max;

  /** HdrHistogram V2, raw; in an array. */
  ByteBuffer payload = ByteBuffer.allocate(0);
}
