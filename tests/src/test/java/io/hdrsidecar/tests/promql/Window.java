package io.hdrsidecar.tests.promql;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a series counted in a range of time, or since its start.
 *
 * @param atMillis when it ends, or null for the moment of the query
 */
record Window(Kind kind, long rangeMillis, long offsetMillis, @Nullable Long atMillis) {
  /** How it is asked for. */
  enum Kind {
    RATE,
    INCREASE,
    /** Since the start of the series: without a range. */
    TOTAL
  }

  /** As people ask. */
  String text(String selector) {
    if (kind == Kind.TOTAL) {
      return selector + shift(offsetMillis);
    }
    return (kind == Kind.RATE ? "rate(" : "increase(")
        + selector
        + "["
        + duration(rangeMillis)
        + "]"
        + shift(offsetMillis)
        + ")";
  }

  /**
   * The same for a Prometheus, of which the other extrapolates: the difference of two scrapes. The
   * values stand in both, where the second scrape was before the first value.
   */
  String difference(String selector) {
    if (kind == Kind.TOTAL) {
      return text(selector);
    }
    String end = selector + shift(offsetMillis);
    String begin = selector + shift(offsetMillis + rangeMillis);
    String difference = "(" + end + " - (" + begin + " or 0 * " + end + "))";
    return kind == Kind.RATE ? "(" + difference + " / " + seconds() + ")" : difference;
  }

  private String shift(long millis) {
    String offset = millis == 0 ? "" : " offset " + duration(millis);
    return atMillis == null ? offset : " @ " + BigDecimal.valueOf(atMillis, 3) + offset;
  }

  private static String duration(long millis) {
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms"; // also of less than nothing
  }

  private double seconds() {
    return rangeMillis / 1000.0;
  }

  /** Excluded. */
  long beginMillis(long askedMillis) {
    return kind == Kind.TOTAL ? Long.MIN_VALUE : endMillis(askedMillis) - rangeMillis;
  }

  /** Included. */
  long endMillis(long askedMillis) {
    return (atMillis == null ? askedMillis : atMillis) - offsetMillis;
  }

  /** By what a count is divided. */
  double divisor() {
    return kind == Kind.RATE ? seconds() : 1;
  }
}
