package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.interval.BucketLayout;

/**
 * An interval of one series, or the sum of neighbours, as the history keeps it: packed, and never
 * changed. Any thread.
 */
public final class KeptInterval {
  private final BucketLayout layout;
  private final long startMillis;
  private final long endMillis;
  private final byte[] packed;

  KeptInterval(BucketLayout layout, long startMillis, long endMillis, byte[] packed) {
    this.layout = layout;
    this.startMillis = startMillis;
    this.endMillis = endMillis;
    this.packed = packed;
  }

  BucketLayout layout() {
    return layout;
  }

  byte[] packed() {
    return packed;
  }

  /** Its start, milliseconds since the epoch by the clock of the client. */
  public long startMillis() {
    return startMillis;
  }

  /** Its end; not before the start. */
  public long endMillis() {
    return endMillis;
  }

  /** How many values it has, 1 or more; known without unpacking it. */
  public long count() {
    return PackedInterval.countOf(packed);
  }

  /** Its greatest value; known without unpacking it. */
  public long max() {
    return PackedInterval.maxOf(packed);
  }

  /** The moment half-way between start and end. */
  public long middleMillis() {
    return (startMillis & endMillis) + ((startMillis ^ endMillis) >> 1); // cannot overflow
  }
}
