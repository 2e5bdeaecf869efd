package io.hdrsidecar.internal.hlog;

/** A line of an interval log that cannot be read. The message is fit for the sender to read. */
public final class MalformedLogLineException extends Exception {
  private static final long serialVersionUID = 1;

  /** A tag is empty, is not UTF-8, or its key is not {@code Tag}. */
  public static final String BAD_TAG = "bad_tag";

  /** A time, a length or a maximum is not a number, or lies outside the years 1970 to 9999. */
  public static final String BAD_TIMESTAMP = "bad_timestamp";

  /** The line ends before its histogram. */
  public static final String MISSING_HISTOGRAM = "missing_histogram";

  /** The histogram is not base64. */
  public static final String BAD_BASE64 = "bad_base64";

  /** The line is longer than the reader allows. */
  public static final String LINE_TOO_LONG = "line_too_long";

  private final long line;
  private final String reason;

  MalformedLogLineException(long line, String reason, String message) {
    super(message);
    this.line = line;
    this.reason = reason;
  }

  /** Number of the line; the first is 1. */
  public long line() {
    return line;
  }

  /**
   * Why, as it is counted: one of the constants here, or the label of a {@link
   * io.hdrsidecar.internal.wire.RejectReason} when the histogram inside is damaged.
   */
  public String reason() {
    return reason;
  }
}
