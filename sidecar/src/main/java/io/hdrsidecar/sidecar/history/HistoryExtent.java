package io.hdrsidecar.sidecar.history;

/**
 * From when to when there are intervals to ask for.
 *
 * @param fromMillis milliseconds since the epoch
 * @param toMillis likewise; before {@code fromMillis} when there is nothing
 */
public record HistoryExtent(long fromMillis, long toMillis) {
  /** Of nothing. */
  public static final HistoryExtent EMPTY = new HistoryExtent(Long.MAX_VALUE, Long.MIN_VALUE);

  /** Whether there is nothing. */
  public boolean isEmpty() {
    return toMillis < fromMillis;
  }

  /** Both together. */
  public HistoryExtent and(HistoryExtent other) {
    return new HistoryExtent(
        Math.min(fromMillis, other.fromMillis), Math.max(toMillis, other.toMillis));
  }
}
