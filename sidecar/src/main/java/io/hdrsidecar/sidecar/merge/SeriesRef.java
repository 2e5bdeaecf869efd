package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.sidecar.families.FamilyClaim;
import org.jspecify.annotations.Nullable;

/**
 * One series as seen by those who send to it. They may keep this for hours after the series has
 * ended, so it leads to the counts only while the series lives, then to its name and labels, and in
 * the end to nothing. Merge context only.
 */
final class SeriesRef {
  /**
   * The identity that a series is begun with.
   *
   * @param overflow whether it counts for label sets that have no series of their own
   */
  record Identity(SeriesKey key, FamilyClaim claim, boolean overflow) {}

  private @Nullable Identity identity;
  private @Nullable Series living;

  SeriesRef(Identity identity) {
    this.identity = identity;
  }

  /** Null once it is forgotten. */
  @Nullable Identity identity() {
    return identity;
  }

  /** The series; null once it has ended. */
  @Nullable Series living() {
    return living;
  }

  void lead(@Nullable Series to) {
    living = to;
  }

  /** Gives the memory of name and labels up. */
  void forget() {
    identity = null;
  }
}
