package io.hdrsidecar.internal.record;

import org.jspecify.annotations.Nullable;

/** What the stripes yielded in one harvest: how many values, between which buckets. */
class HarvestTally {
  private final byte[] places = new byte[AtomicPage.SIZE];
  private int @Nullable [] counters;
  private long count;
  private int lowIndex;
  private int highIndex;

  void clear() {
    count = 0;
    lowIndex = Integer.MAX_VALUE;
    highIndex = -1;
  }

  /** Scratch for the places of the non-zero counters in a page. */
  byte[] places() {
    return places;
  }

  /** Scratch for the counters of a page; who swaps counters needs none. */
  int[] counters() {
    int[] present = counters;
    if (present == null) {
      present = new int[AtomicPage.SIZE];
      counters = present;
    }
    return present;
  }

  /** Adds values whose buckets lie between these, both of them not empty. */
  void add(long added, int low, int high) {
    count += added;
    lowIndex = Math.min(lowIndex, low);
    highIndex = Math.max(highIndex, high);
  }

  long count() {
    return count;
  }

  /** Lowest non-zero bucket, while the count is not 0. */
  int lowIndex() {
    return lowIndex;
  }

  /** Highest non-zero bucket, while the count is not 0. */
  int highIndex() {
    return highIndex;
  }
}
