package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SumMinMax;

/**
 * What has to be known of buckets that are not HdrHistogram's: whether there are any, and whether
 * smallest and largest value came with them. Where they did not, the edge of a bucket stands for
 * them; so one that is an edge is not taken for known, though it may have been sent.
 */
public final class ForeignBuckets {
  private boolean any;
  private long exactMin;
  private long edgeMin;
  private long exactMax;
  private long edgeMax;

  /** Of no counts yet. */
  public ForeignBuckets() {
    clear();
  }

  /** Forgets all. */
  public void clear() {
    any = false;
    exactMin = Long.MAX_VALUE;
    edgeMin = Long.MAX_VALUE;
    exactMax = 0;
    edgeMax = -1;
  }

  /** Counts of a layout are added, which have these figures. */
  public void add(BucketLayout layout, SumMinMax sumMinMax) {
    any |= !layout.isHdr();
    boolean areKnown = layout.isHdr() && sumMinMax.isSumExact(); // as from clients, not from logs
    long min = sumMinMax.min();
    if (areKnown || !isEdge(layout, min, layout.lowestValueAt(layout.indexOf(min)))) {
      exactMin = Math.min(exactMin, min);
    } else {
      edgeMin = Math.min(edgeMin, min);
    }
    long max = sumMinMax.max();
    if (areKnown || !isEdge(layout, max, layout.highestValueAt(layout.indexOf(max)))) {
      exactMax = Math.max(exactMax, max);
    } else {
      edgeMax = Math.max(edgeMax, max);
    }
  }

  /** That of a bucket with one value is the value. */
  private static boolean isEdge(BucketLayout layout, long value, long edge) {
    return value == edge && layout.widthAt(layout.indexOf(value)) > 1;
  }

  /** Counts are added of which this is known. */
  public void add(ForeignBuckets other) {
    any |= other.any;
    exactMin = Math.min(exactMin, other.exactMin);
    edgeMin = Math.min(edgeMin, other.edgeMin);
    exactMax = Math.max(exactMax, other.exactMax);
    edgeMax = Math.max(edgeMax, other.edgeMax);
  }

  boolean any() {
    return any;
  }

  /** Whether the smallest value is known, and not the edge of its bucket. */
  public boolean minIsExact() {
    return exactMin <= edgeMin;
  }

  /** Likewise the largest. */
  public boolean maxIsExact() {
    return exactMax >= edgeMax;
  }
}
