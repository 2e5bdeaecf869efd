package io.hdrsidecar.sidecar.evaluation;

/**
 * Which intervals were read.
 *
 * @param fromMillis start of the first
 * @param toMillis end of the last; before that when there is none
 * @param longestMillis length of the longest
 */
record Coverage(long fromMillis, long toMillis, long longestMillis) {
  static final Coverage NOTHING = new Coverage(Long.MAX_VALUE, Long.MIN_VALUE, 0);

  Coverage and(Coverage other) {
    return other.isNothing()
        ? this
        : new Coverage(
            Math.min(fromMillis, other.fromMillis),
            Math.max(toMillis, other.toMillis),
            Math.max(longestMillis, other.longestMillis));
  }

  boolean isNothing() {
    return toMillis < fromMillis;
  }
}
