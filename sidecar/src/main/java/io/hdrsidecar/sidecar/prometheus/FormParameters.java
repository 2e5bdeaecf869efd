package io.hdrsidecar.sidecar.prometheus;

import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.sidecar.query.QueryException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The parameters of a request of Prometheus' API. As there, unknown ones are ignored, and of one
 * that is given twice the first counts, unless it may be.
 */
public record FormParameters(Map<String, List<String>> byName) {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})([eE][+-]?\\d{1,3})?");

  /** Beyond that nobody counts. */
  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(1L << 42);

  /** The value; empty for none. */
  public String get(String name) {
    List<String> values = byName.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.get(0);
  }

  /** All values. */
  public List<String> all(String name) {
    return byName.getOrDefault(name, List.of());
  }

  static QueryException invalid(String name, String message) {
    return QueryException.badParameter("invalid parameter \"" + name + "\": " + message);
  }

  /** A time: seconds since the epoch, or as in RFC 3339. */
  long time(String name) throws QueryException {
    String text = get(name);
    try {
      if (NUMBER.matcher(text).matches()) {
        return millis(name, new BigDecimal(text));
      }
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw invalid(name, "cannot parse \"" + text + "\" to a valid timestamp");
    }
  }

  private static long millis(String name, BigDecimal seconds) throws QueryException {
    if (seconds.abs().compareTo(MOST_SECONDS) > 0) {
      throw invalid(name, "cannot parse \"" + seconds + "\" to a valid timestamp");
    }
    return seconds.movePointRight(3).setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  /** The same; if it is not given, another. */
  long time(String name, Instant otherwise) throws QueryException {
    return get(name).isEmpty() ? otherwise.toEpochMilli() : time(name);
  }

  /** A length of time: seconds, or as {@code 1h30m}. */
  long duration(String name) throws QueryException {
    String text = get(name);
    if (NUMBER.matcher(text).matches()) {
      return millis(name, new BigDecimal(text));
    }
    try {
      return PromqlParser.durationMillis(text);
    } catch (PromqlException e) {
      throw invalid(name, "cannot parse \"" + text + "\" to a valid duration");
    }
  }

  /** How many there may be; more than any for no limit. */
  long limit() throws QueryException {
    String text = get("limit");
    if (text.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (!text.matches("\\d{1,18}")) {
      throw invalid("limit", "must be a number of at least 0: \"" + text + "\"");
    }
    long limit = Long.parseLong(text);
    return limit == 0 ? Long.MAX_VALUE : limit;
  }
}
