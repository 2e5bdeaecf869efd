package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /api/v1/overview} is asked.
 *
 * @param selector which series
 * @param windowIndex place in {@link SeriesStore#windows}, or {@link HistogramQuery#TOTAL}
 * @param window as written
 * @param range asked for in place of a window; or null
 * @param figures whether they are wanted, and not only what there is
 * @param spark over which time the small pictures go
 * @param sort by what the series are ordered
 * @param limit most series in the answer
 * @param offset how many of the first are left out
 */
record OverviewQuery(
    Selector selector,
    int windowIndex,
    String window,
    @Nullable TimeRange range,
    boolean figures,
    SparkLine spark,
    Sort sort,
    int limit,
    int offset) {
  private static final Duration SHORTEST_WINDOW = Duration.ofMinutes(1);
  private static final long SPARK_MILLIS = Duration.ofMinutes(10).toMillis();

  /** By what the series are ordered: names ascending, figures descending. */
  enum Sort {
    /** Name and labels. */
    NAME,
    /** Number of values. */
    COUNT,
    /** Percentile 99. */
    P99,
    /** Percentile 99.9. */
    P999,
    /** Greatest value. */
    MAX
  }

  /**
   * Reads the parameters.
   *
   * @throws QueryException naming the first that is wrong
   */
  static OverviewQuery of(Parameters parameters, SeriesStore store, Instant now)
      throws QueryException {
    @Nullable TimeRange range = TimeRange.inPlaceOfWindow(parameters, now);
    String window = parameters.get("window", defaultWindow(store));
    int points = parameters.wholeNumber("points");
    Sort sort = Sort.valueOf(parameters.require("sort").toUpperCase(Locale.ROOT));
    return new OverviewQuery(
        Selector.of("series", parameters.get("series", SeriesAnswers.ALL)),
        HistogramQuery.windowIndex(window, store),
        window,
        range,
        figures(parameters.require("figures"), range, sort),
        range == null
            ? SparkLine.endingAt(now.toEpochMilli(), SPARK_MILLIS, points)
            : SparkLine.of(range, points),
        sort,
        parameters.wholeNumber("limit"),
        parameters.wholeNumber("offset"));
  }

  /** The shortest that is not so short that a pause between calls empties it. */
  private static String defaultWindow(SeriesStore store) {
    return store.windows().stream()
        .filter(window -> window.span().compareTo(SHORTEST_WINDOW) >= 0)
        .min(Comparator.comparing(WindowSpec::span))
        .map(WindowSpec::name)
        .orElse("total");
  }

  private static boolean figures(String text, @Nullable TimeRange range, Sort sort)
      throws QueryException {
    if (text.equals("true")) {
      return true;
    }
    if (range == null || sort != Sort.NAME) {
      throw QueryException.badParameter(
          "figures", "can be false only with start or end, and sorted by name");
    }
    return false;
  }
}
