package io.hdrsidecar.sidecar.merge;

/**
 * Whether the windows of a series are fed, and have all that came within their spans. Merge
 * context; {@link #isWhole} any thread.
 */
final class WindowState {
  private boolean fed = true;
  private volatile boolean whole = true;
  private long wholeFromNanos;
  private long bytesGivenUp;

  /** Whether they are fed, which they are unless they were given up. */
  boolean isFed() {
    return fed;
  }

  /** Whether they have all that came within their spans. */
  boolean isWhole() {
    return whole;
  }

  /** The most that they held when they were given up, in bytes. */
  long bytesGivenUp() {
    return bytesGivenUp;
  }

  /** An interval is merged that does not go to them. */
  void missed() {
    if (whole) {
      whole = false;
    }
  }

  /** They are given up, and held so many bytes. */
  void giveUp(long bytes) {
    fed = false;
    whole = false;
    bytesGivenUp = Math.max(bytesGivenUp, bytes);
  }

  /** They are fed again, and the longest of them is full at that time. */
  void beginAgain(long fullAtNanos) {
    fed = true;
    whole = false; // As the series was silent, nothing may have been missing until now.
    wholeFromNanos = fullAtNanos;
  }

  /**
   * Looks whether they are whole again; about once a second.
   *
   * @param idleMillis for how long no interval has come beyond the longest span; less than 0 while
   *     one lies within it
   */
  void look(long nowNanos, long idleMillis) {
    if (!whole) {
      whole = idleMillis > 0 || (fed && nowNanos >= wholeFromNanos);
    }
  }
}
