package io.hdrsidecar.fleet.node;

import java.time.Duration;

/**
 * How the past is cut into steps: short ones at first, which become long ones after a while, which
 * are kept for so long.
 *
 * @param shortMillis length of the short ones
 * @param longMillis length of the long ones, a multiple of that
 * @param shortKeptMillis after which time they are added up
 * @param keptMillis after which time all is forgotten; 0: nothing is kept
 */
record StepLengths(long shortMillis, long longMillis, long shortKeptMillis, long keptMillis) {
  /** No step is longer. */
  static final long LONGEST_MILLIS = 60_000;

  static StepLengths of(Duration shortKept, Duration kept) {
    return new StepLengths(10_000, LONGEST_MILLIS, shortKept.toMillis(), kept.toMillis());
  }

  /**
   * The start of the step that an interval belongs to: that of its middle, which is not later than
   * it came.
   */
  long stepOf(long startMillis, long endMillis, long cameMillis) {
    long middle = (startMillis & endMillis) + ((startMillis ^ endMillis) >> 1); // no overflow
    long within = Math.max(0, Math.min(middle, cameMillis));
    return within - within % lengthAt(within, cameMillis);
  }

  /** How long a step is that has this time. */
  long lengthAt(long millis, long nowMillis) {
    return millis < longBefore(nowMillis) ? longMillis : shortMillis;
  }

  /** Before this all steps are long; the start of a long one. */
  long longBefore(long nowMillis) {
    long time = Math.max(0, nowMillis - shortKeptMillis);
    return time - time % longMillis;
  }

  /** Before this there are no steps. */
  long forgottenBefore(long nowMillis) {
    return keptMillis == 0 ? Long.MAX_VALUE : Math.max(0, nowMillis - keptMillis);
  }
}
