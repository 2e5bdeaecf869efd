package io.hdrsidecar.hlog;

import io.hdrsidecar.wire.DecodedHistogram;

/**
 * One line of an interval log. Reused from line to line; valid until the next is read. One thread
 * at a time.
 */
public final class LogInterval {
  private final DecodedHistogram histogram = new DecodedHistogram();
  private String tag = "";
  private long startMillis;
  private long endMillis;
  private long line;

  void set(long newLine, String newTag, long newStartMillis, long newEndMillis) {
    line = newLine;
    tag = newTag;
    startMillis = newStartMillis;
    endMillis = newEndMillis;
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
    return startMillis;
  }

  /** End, in milliseconds since the epoch; not before the start. */
  public long endMillis() {
    return endMillis;
  }

  /** What was counted. */
  public DecodedHistogram histogram() {
    return histogram;
  }
}
