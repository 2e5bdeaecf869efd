package io.hdrsidecar.fleet.node;

import java.util.function.LongSupplier;

/**
 * How much a commit may do of what any later one can do as well: looking for series, steps and
 * numbers whose time has come. A commit that does too much of it is aborted by the brokers, and is
 * done again, as slowly. One thread.
 */
final class Upkeep {
  private final LongSupplier nanoTime;
  private final long endNanos;
  private long looks;
  private boolean hasBegun;

  /**
   * So much from now on.
   *
   * @param looks at most
   * @param nanoTime monotonic
   * @param nanos after which there is no further one
   */
  Upkeep(long looks, LongSupplier nanoTime, long nanos) {
    this.looks = looks;
    this.nanoTime = nanoTime;
    this.endNanos = nanoTime.getAsLong() + nanos;
  }

  /** Whether one more may be looked at. The first always may, or nothing would ever be done. */
  boolean next() {
    if (looks == 0 || (hasBegun && nanoTime.getAsLong() - endNanos >= 0)) {
      return false;
    }
    hasBegun = true;
    looks--;
    return true;
  }
}
