package io.hdrsidecar.sidecar.export;

import java.time.Duration;
import java.util.Locale;

/**
 * What came of sending a request.
 *
 * @param result as it is counted
 * @param retryAfter what the receiver asks to wait; zero if it says nothing
 * @param rejectedPoints how many it has not taken although it took the request
 * @param problem in words; empty if there was none
 */
record ExportAnswer(Result result, Duration retryAfter, long rejectedPoints, String problem) {
  private static final int MOST_MESSAGE = 200;

  /** The name in lower case is the value of the {@code result} label. */
  enum Result {
    DELIVERED(What.ARRIVED),
    /** Some points were rejected, and must not be sent again. */
    PARTLY_DELIVERED(What.ARRIVED),
    /** Not to be sent again as it is. */
    REFUSED(What.REFUSED),
    TOO_LARGE(What.REFUSED),
    /** To be sent later: 429 and 503. */
    THROTTLED(What.NOT_ARRIVED),
    /** There was no connection, or nothing to show on it. */
    UNREACHABLE(What.NOT_ARRIVED),
    /** The receiver has failed, and asks by remote write for another attempt: 500. */
    FAILED(What.UNKNOWN),
    /** One between here and there has failed: 502 and 504. */
    FAILED_BETWEEN(What.UNKNOWN),
    /** The connection ended, or the time, before an answer came. */
    UNANSWERED(What.UNKNOWN);

    private final What what;

    Result(What what) {
      this.what = what;
    }

    /** What a status of HTTP says, as OTLP has it. */
    static Result of(int status) {
      return switch (status) {
        case 413 -> TOO_LARGE;
        case 429, 503 -> THROTTLED;
        case 502, 504 -> FAILED_BETWEEN;
        default -> status / 100 == 2 ? DELIVERED : REFUSED;
      };
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** What is known of the points. */
    What what() {
      return what;
    }
  }

  /** What is known of the points of a request. */
  enum What {
    ARRIVED,
    /** They were not taken, and will not be. */
    REFUSED,
    /** They were not taken, and may be later. */
    NOT_ARRIVED,
    /** They may have been taken. */
    UNKNOWN
  }

  /** One that says nothing but what came of it. */
  static ExportAnswer of(Result result, String problem) {
    return new ExportAnswer(result, Duration.ZERO, 0, problem);
  }

  /** The same of a receiver that asks to wait. */
  ExportAnswer after(Duration wait) {
    return new ExportAnswer(result, wait, rejectedPoints, problem);
  }

  /** A status with what a receiver says to it, shortened. */
  static String problem(int status, String message) {
    String hint =
        switch (status) {
          case 301, 302, 303, 307, 308 -> " (redirects are not followed)";
          case 404, 405 -> " (is the path right?)";
          default -> "";
        };
    String text = shortened(message);
    return "status " + status + hint + (text.isEmpty() ? "" : ": " + text);
  }

  /** What a receiver says, no longer than a line of a log should be. */
  static String shortened(String message) {
    String text = message.strip();
    return text.length() <= MOST_MESSAGE ? text : text.substring(0, MOST_MESSAGE) + "...";
  }
}
