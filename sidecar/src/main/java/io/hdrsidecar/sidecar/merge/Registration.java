package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.BucketLayout;

/**
 * A series in one bucket layout: what a client's series id stands for. It is one object for all who
 * send there, so ids by the hundred thousand that end in one overflow series cost no more than the
 * reference to it. It outlives the series, see {@link SeriesStore#renewed}. Merge context only,
 * unless said otherwise.
 */
public final class Registration implements Destination {
  private final SeriesRef ref;
  private final BucketLayout layout;
  private final boolean ofOverflow;
  private volatile long highestTrackableValue;

  Registration(SeriesRef ref, BucketLayout layout) {
    this.ref = ref;
    this.layout = layout;
    SeriesRef.Identity identity = ref.identity();
    this.ofOverflow = identity != null && identity.overflow();
  }

  /** Whether its series counts for label sets that have none of their own, and is of many ids. */
  public boolean isOfOverflow() {
    return ofOverflow;
  }

  @Override
  public boolean isShared() {
    return ofOverflow;
  }

  SeriesRef ref() {
    return ref;
  }

  @Override
  public BucketLayout layout() {
    return layout;
  }

  /** The highest trackable value that any who registered has configured. Any thread. */
  public long highestTrackableValue() {
    return highestTrackableValue;
  }

  /** Somebody registers with this highest trackable value. */
  void raise(long highest) {
    if (highest > highestTrackableValue) {
      highestTrackableValue = highest;
    }
  }

  /**
   * Whether the series ended so long ago that its labels are forgotten: it has to be registered
   * again, by code that knows them.
   */
  @Override
  public boolean isForgotten() {
    return ref.identity() == null;
  }

  /**
   * Where intervals are counted; may be an overflow series.
   *
   * @throws IllegalStateException when it has ended
   */
  public Series series() {
    Series series = ref.living();
    if (series == null) {
      throw new IllegalStateException("series has ended: " + ref.identity());
    }
    return series;
  }
}
