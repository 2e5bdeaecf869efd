package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.interval.SumMinMax;
import java.nio.ByteBuffer;

/**
 * What a line says besides its series. A flyweight whose holder fills it again for each line:
 * fields instead of a record, as a journal writes some hundred thousand lines a second.
 */
public final class JournalEntry {
  /** Number of the record. */
  public long record;

  /** Sequence number of an interval, -1 for GOODBYE; number of intervals of a total. */
  public long sequence;

  /** Milliseconds since the epoch. */
  public long startMillis;

  /** Milliseconds since the epoch. */
  public long endMillis;

  /** Sum, minimum and maximum of the values. */
  public final SumMinMax sumMinMax = new SumMinMax();

  /** Of a total: for how many milliseconds its series had no interval when it was written. */
  public long idleMillis;

  /** HdrHistogram V2, raw or compressed; in an array. */
  public ByteBuffer payload = ByteBuffer.allocate(0);
}
