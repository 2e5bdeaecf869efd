package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.input.DurationText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of time that is asked for.
 *
 * @param startMillis milliseconds since the epoch
 * @param endMillis likewise, excluded; after the start
 */
public record TimeRange(long startMillis, long endMillis) {
  private static final Duration DEFAULT = Duration.ofHours(1);
  private static final Pattern RELATIVE = Pattern.compile("(?:now)?-(\\w+)");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,11}(\\.\\d{1,9})?");
  private static final long LAST_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  /**
   * Reads {@code start} and {@code end}: seconds since the epoch, a time as in RFC 3339, {@code
   * now}, or {@code -5m} for five minutes ago. The end is now when left out, and the start an hour
   * before the end.
   *
   * @throws QueryException naming the one that is wrong
   */
  public static TimeRange of(Parameters parameters, Instant now) throws QueryException {
    return of(parameters, "start", "end", now);
  }

  public static TimeRange of(Parameters parameters, String startName, String endName, Instant now)
      throws QueryException {
    Optional<String> startText = parameters.get(startName);
    Optional<String> endText = parameters.get(endName);
    long end = endText.isPresent() ? millis(endName, endText.get(), now) : now.toEpochMilli();
    long start =
        startText.isPresent()
            ? millis(startName, startText.get(), now)
            : Math.max(0, end - DEFAULT.toMillis());
    if (start >= end) {
      throw QueryException.badParameter(
          endName,
          "must be after "
              + startName
              + ": "
              + Instant.ofEpochMilli(end)
              + " is not after "
              + Instant.ofEpochMilli(start));
    }
    return new TimeRange(start, end);
  }

  /**
   * What is asked for in the place of a window; null if neither end is given.
   *
   * @throws QueryException when a window is asked for, too, or an end is wrong
   */
  public static @Nullable TimeRange inPlaceOfWindow(Parameters parameters, Instant now)
      throws QueryException {
    if (!isAsked(parameters, "start", "end")) {
      return null;
    }
    if (parameters.get("window").isPresent()) {
      throw QueryException.badParameter(
          "window", "cannot go with start or end: ask for a window or for a range of time");
    }
    return of(parameters, now);
  }

  /** Whether any of the two was given. */
  public static boolean isAsked(Parameters parameters, String startName, String endName) {
    return parameters.get(startName).isPresent() || parameters.get(endName).isPresent();
  }

  private static long millis(String name, String text, Instant now) throws QueryException {
    long millis = read(name, text, now);
    if (millis < 0 || millis > LAST_MILLIS) {
      throw QueryException.badParameter(name, "must be in the years 1970 to 9999: " + text);
    }
    return millis;
  }

  private static long read(String name, String text, Instant now) throws QueryException {
    if (text.equals("now")) {
      return now.toEpochMilli();
    }
    if (SECONDS.matcher(text).matches()) {
      return new BigDecimal(text).movePointRight(3).setScale(0, RoundingMode.FLOOR).longValue();
    }
    Matcher relative = RELATIVE.matcher(text);
    try {
      return relative.matches()
          ? now.toEpochMilli() - DurationText.parse(relative.group(1)).toMillis()
          : OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw QueryException.badParameter(
          name,
          "must be seconds since 1970, a time such as 2026-01-02T03:04:05Z, now, or -5m for five"
              + " minutes ago: "
              + text);
    }
  }

  /** How a time is written in answers. */
  public static String text(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
