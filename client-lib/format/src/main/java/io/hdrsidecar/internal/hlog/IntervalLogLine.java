package io.hdrsidecar.internal.hlog;

import io.hdrsidecar.internal.wire.DecodedHistogram;

/**
 * One line of an interval log. Reused from line to line; valid until the next is read. One thread
 * at a time.
 */
public final class IntervalLogLine {
  private final DecodedHistogram histogram = new DecodedHistogram();
  private String tag = "";
  private double startSeconds;
  private double endSeconds;
  private double maximum;
  private long line;

  void set(
      long newLine,
      String newTag,
      double newStartSeconds,
      double newEndSeconds,
      double newMaximum) {
    line = newLine;
    tag = newTag;
    startSeconds = newStartSeconds;
    endSeconds = newEndSeconds;
    maximum = newMaximum;
  }

  /** Number of the line; the first is 1. */
  public long line() {
    return line;
  }

  /** The tag, or an empty string without one. */
  public String tag() {
    return tag;
  }

  /** Start, in milliseconds since the epoch. */
  public long startMillis() {
    return LogTime.millis(startSeconds);
  }

  /** Start as the line tells it, in seconds since the epoch, without rounding to milliseconds. */
  public double startSeconds() {
    return startSeconds;
  }

  /** End, in milliseconds since the epoch; not before the start. */
  public long endMillis() {
    return LogTime.millis(endSeconds);
  }

  /** End as the line tells it, in seconds since the epoch, without rounding to milliseconds. */
  public double endSeconds() {
    return endSeconds;
  }

  /** The maximum that the line tells people, in the unit of its writer's choice. */
  public double maximum() {
    return maximum;
  }

  /** What was counted. */
  public DecodedHistogram histogram() {
    return histogram;
  }
}
