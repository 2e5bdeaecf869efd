package io.hdrsidecar.internal.interval;

/**
 * A recorded value with the trace it belongs to, so that a slow bucket leads to an example.
 *
 * <p>The lengths keep its labels {@code trace_id} and {@code span_id} within the 128 characters
 * that OpenMetrics allows for names and values together. Immutable.
 *
 * @param value in the unit of the series, 0 or more
 * @param millis when it was recorded, milliseconds since the epoch, 0 or more
 * @param traceId 1 to 64 visible ASCII characters, no space
 * @param spanId 0 to 32 of them; empty for none
 */
public record Exemplar(long value, long millis, String traceId, String spanId) {
  /** Most characters of a trace id. */
  public static final int MAX_TRACE_ID = 64;

  /** Most characters of a span id. */
  public static final int MAX_SPAN_ID = 32;

  /** Checks the ranges; throws IllegalArgumentException. */
  public Exemplar {
    if (value < 0 || millis < 0) {
      throw new IllegalArgumentException(
          "value and time of an exemplar must be 0 or more: " + value + ", " + millis);
    }
    if (!areIds(traceId, spanId)) {
      throw new IllegalArgumentException(
          "an exemplar needs a trace id of 1.."
              + MAX_TRACE_ID
              + " and a span id of 0.."
              + MAX_SPAN_ID
              + " visible ASCII characters: "
              + traceId.length()
              + " and "
              + spanId.length()
              + " characters");
    }
  }

  /** Whether an exemplar can have these ids. */
  public static boolean areIds(String traceId, String spanId) {
    return !traceId.isEmpty()
        && traceId.length() <= MAX_TRACE_ID
        && spanId.length() <= MAX_SPAN_ID
        && isVisibleAscii(traceId)
        && isVisibleAscii(spanId);
  }

  private static boolean isVisibleAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }
}
