package io.hdrsidecar.sidecar.history;

/**
 * Which time an answer from the history covers. It is what the intervals cover that overlap the
 * range asked for, so it may begin earlier and end later, by at most the longest of them, and
 * answers about neighbouring ranges may share one.
 *
 * @param fromMillis start of the first interval
 * @param toMillis end of the last; not above {@code fromMillis} while there is none
 * @param intervals how many there are
 * @param longestMillis length of the longest: the resolution in time
 */
public record HistoryRange(long fromMillis, long toMillis, int intervals, long longestMillis) {
  /** No intervals. */
  public static final HistoryRange EMPTY = new HistoryRange(Long.MAX_VALUE, Long.MIN_VALUE, 0, 0);

  /** Of one interval. */
  public static HistoryRange of(long start, long end) {
    return new HistoryRange(start, end, 1, end - start);
  }

  /** Both together. */
  public HistoryRange and(HistoryRange other) {
    return new HistoryRange(
        Math.min(fromMillis, other.fromMillis),
        Math.max(toMillis, other.toMillis),
        intervals + other.intervals,
        Math.max(longestMillis, other.longestMillis));
  }
}
