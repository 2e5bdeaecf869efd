package io.hdrsidecar.internal.hlog;

/**
 * Which moment a time in a log means.
 *
 * <p>Times in a log are seconds, either since the epoch or since the log began, and older logs do
 * not say which. With a base time they count from it. Without, the first line decides for all: a
 * time more than a year before the start time cannot be absolute, so times count from the start.
 *
 * @see org.HdrHistogram.HistogramLogReader
 */
final class LogTime {
  private static final double YEAR_SECONDS = 365 * 24 * 3600.0;
  private static final double MAX_SECONDS = 253_402_300_799.0; // the last second of the year 9999

  private double startSeconds;
  private boolean startKnown;
  private double baseSeconds;
  private boolean baseKnown;

  void startAt(double seconds) {
    startSeconds = seconds;
    startKnown = true;
  }

  void countFrom(double seconds) {
    baseSeconds = seconds;
    baseKnown = true;
  }

  double startSeconds() {
    return startSeconds;
  }

  /** Seconds since the epoch. */
  double absolute(double seconds) {
    if (!startKnown) {
      startAt(seconds);
    }
    if (!baseKnown) {
      countFrom(seconds < startSeconds - YEAR_SECONDS ? startSeconds : 0);
    }
    return baseSeconds + seconds;
  }

  static boolean isInRange(double seconds) {
    return seconds >= 0 && seconds <= MAX_SECONDS;
  }

  /**
   * Rounded, where HistogramLogReader cuts off: 0.127 s after 1441812279.474 is not a whole number
   * of milliseconds in binary, and a time must survive being written and read.
   */
  static long millis(double seconds) {
    return Math.round(seconds * 1000);
  }
}
