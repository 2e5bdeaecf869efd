package io.hdrsidecar.fleet.node;

import io.hdrsidecar.internal.interval.BucketLayout;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the total of a series between the commits that write it, so that the others
 * need not read it. One thread.
 */
final class KnownTotal {
  /** Far below where a count could overflow: beyond this the total itself is asked. */
  private static final long MOST_VALUES = 1L << 61;

  private final long mark;
  private final @Nullable BucketLayout layout;
  private long values;
  private boolean isBehind;

  /**
   * As it was written.
   *
   * @param mark of the total
   * @param isBehind whether there are steps that have what it lacks
   */
  KnownTotal(long mark, SeriesSum total, boolean isBehind) {
    this.mark = mark;
    this.layout = total.onlyLayout();
    this.values = total.values();
    this.isBehind = isBehind;
  }

  long mark() {
    return mark;
  }

  /** Whether steps have something that it lacks. */
  boolean isBehind() {
    return isBehind;
  }

  /** Whether this can be added to it later, whatever else comes: of its layout, and no overflow. */
  boolean hasRoomFor(SeriesSum sum) {
    return layout != null
        && layout.equals(sum.onlyLayout())
        && sum.values() < MOST_VALUES
        && values < MOST_VALUES;
  }

  /** Steps have so many values more than it. */
  void fallBehind(long more) {
    values += more;
    isBehind = true;
  }
}
