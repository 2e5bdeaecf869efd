package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.BucketLayout;

/** Where the intervals of a declared series go: what a client's series id stands for. */
public interface Destination {
  /** The layout that intervals must have. */
  BucketLayout layout();

  /** Whether it can take no more intervals: the series has to be declared again. */
  boolean isForgotten();

  /** Whether one object stands for many ids, so that none of them keeps any memory by it. */
  boolean isShared();

  /**
   * A declared id leads here no longer. A declaration counts as one, from the time when the
   * destination was given out. Merge context.
   */
  default void release() {}
}
