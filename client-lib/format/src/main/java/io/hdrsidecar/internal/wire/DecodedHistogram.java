package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;

/**
 * What a payload says, or would say: its configuration and its non-zero buckets. Reused from
 * payload to payload; valid until the next is decoded. One thread at a time.
 */
public final class DecodedHistogram {
  private final SparseCounts counts = new SparseCounts();
  private BucketLayout layout = BucketLayout.of(1, 3);
  private long highestTrackableValue = 2;

  /** Forgets its buckets, for others of this layout to be visited in ascending order. */
  public void start(BucketLayout ofPayload, long highest) {
    counts.clear();
    layout = ofPayload;
    highestTrackableValue = highest;
  }

  /** Lowest discernible value and significant digits. */
  public BucketLayout layout() {
    return layout;
  }

  /** Highest trackable value of the histogram that was encoded. */
  public long highestTrackableValue() {
    return highestTrackableValue;
  }

  /** The non-zero buckets, in the layout. */
  public SparseCounts counts() {
    return counts;
  }

  /** Lowest value of the lowest non-zero bucket; 0 without counts. */
  public long lowestValue() {
    return counts.size() == 0 ? 0 : layout.lowestValueAt(counts.indexAt(0));
  }

  /** Highest value of the highest non-zero bucket; 0 without counts. */
  public long highestValue() {
    return counts.size() == 0 ? 0 : layout.highestValueAt(counts.indexAt(counts.size() - 1));
  }
}
