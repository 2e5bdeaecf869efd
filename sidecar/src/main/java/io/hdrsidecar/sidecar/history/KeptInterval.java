package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;

/**
 * An interval of one series, or the sum of neighbours, as the history in memory keeps it: packed,
 * and not changed while it is in a reader's hands. Any thread.
 */
public final class KeptInterval implements PastInterval {
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

  @Override
  public long startMillis() {
    return startMillis;
  }

  @Override
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

  /** How many intervals were added together in it. */
  public long merged() {
    return PackedInterval.mergedOf(packed);
  }

  /** Lowest number that one of its intervals has in the journal; 0 for none. */
  long firstRecord() {
    return PackedInterval.firstRecordOf(packed);
  }

  /** Highest number that one of its intervals has in the journal; 0 for none. */
  long lastRecord() {
    return PackedInterval.lastRecordOf(packed);
  }

  @Override
  public void addTo(IntervalSum sum) {
    sum.addPacked(layout, packed);
  }
}
