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
      Pattern.compile("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})([eE][+-]?\\d{1,2})?");

  /** Times are in the years that four digits have; further away sums of them could not be told. */
  private static final long FIRST_MILLIS = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();

  private static final long LAST_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

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
      long millis =
          NUMBER.matcher(text).matches()
              ? millis(text)
              : OffsetDateTime.parse(text).toInstant().toEpochMilli();
      if (millis >= FIRST_MILLIS && millis <= LAST_MILLIS) {
        return millis;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // As for a time too far away.
    }
    throw invalid(name, "cannot parse \"" + text + "\" to a valid timestamp");
  }

  /** Rounded; the exponent is small enough for that to be cheap. */
  private static long millis(String seconds) {
    return new BigDecimal(seconds)
        .movePointRight(3)
        .setScale(0, RoundingMode.HALF_UP)
        .longValueExact();
  }

  /** The same; if it is not given, another. */
  long time(String name, Instant otherwise) throws QueryException {
    return get(name).isEmpty() ? otherwise.toEpochMilli() : time(name);
  }

  /** A length of time: seconds, or as {@code 1h30m}. */
  long duration(String name) throws QueryException {
    String text = get(name);
    try {
      long millis =
          NUMBER.matcher(text).matches() ? millis(text) : PromqlParser.durationMillis(text);
      if (Math.abs(millis) <= LAST_MILLIS) {
        return millis;
      }
    } catch (PromqlException | ArithmeticException e) {
      // As for one too long.
    }
    throw invalid(name, "cannot parse \"" + text + "\" to a valid duration");
  }

  /** How long the answer may take at most; longer than any if the parameters do not say. */
  public long timeoutMillis() throws QueryException {
    return get("timeout").isEmpty() ? Long.MAX_VALUE : duration("timeout");
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
