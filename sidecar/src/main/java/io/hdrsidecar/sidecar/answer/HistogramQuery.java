package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.Percentiles;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.TimeRange;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /api/v1/histogram} is asked.
 *
 * @param selector which series to join
 * @param windowIndex place in {@link SeriesStore#windows}, or {@link #TOTAL}
 * @param window as written
 * @param range asked for in place of a window; or null
 * @param format of the answer
 * @param percentiles asked for, as written: 0 to 100
 * @param withBuckets whether JSON lists every bucket
 * @param ratio values in percentile text are divided by this
 * @param ticks lines of percentile text per halving of the distance to 100 %
 */
public record HistogramQuery(
    Selector selector,
    int windowIndex,
    String window,
    @Nullable TimeRange range,
    Format format,
    List<BigDecimal> percentiles,
    boolean withBuckets,
    double ratio,
    int ticks) {
  /** Stands for "since start" where a window's place is asked for. */
  public static final int TOTAL = -1;

  private static final List<String> KNOWN =
      List.of(
          "series",
          "window",
          "start",
          "end",
          "format",
          "percentiles",
          "buckets",
          "ratio",
          "ticks",
          "expectedInterval");
  static final String DEFAULT_PERCENTILES = "50,75,90,95,99,99.9,99.99,99.999,100";
  private static final int MAX_TICKS = 100;
  private static final double MIN_RATIO = 1e-9;
  private static final double MAX_RATIO = 1e18;

  /** How the answer is written. */
  public enum Format {
    /** The Prometheus envelope. */
    JSON,
    /** Percentile text, as HdrHistogram prints it. */
    HGRM,
    /** The same as comma-separated values. */
    CSV,
    /** An interval log with one line. */
    HLOG,
    /** HdrHistogram's V2 encoding, compressed. */
    V2
  }

  /**
   * Reads the parameters.
   *
   * @throws QueryException naming the first that is wrong
   */
  public static HistogramQuery of(Parameters parameters, SeriesStore store, Instant now)
      throws QueryException {
    parameters.requireOnly(KNOWN, "");
    @Nullable TimeRange range = TimeRange.inPlaceOfWindow(parameters, now);
    String window = parameters.get("window", "total");
    return new HistogramQuery(
        Selector.of("series", parameters.require("series")),
        windowIndex(window, store),
        window,
        range,
        format(parameters.get("format", "json")),
        Percentiles.parse(parameters.get("percentiles", DEFAULT_PERCENTILES)),
        flag("buckets", parameters.get("buckets", "false")),
        ratio(parameters.get("ratio", "1")),
        parameters.wholeNumber("ticks", 5, 1, MAX_TICKS));
  }

  /** Place of a window in {@link SeriesStore#windows}, or {@link #TOTAL}. */
  static int windowIndex(String window, SeriesStore store) throws QueryException {
    if (window.equals("total")) {
      return TOTAL;
    }
    for (int i = 0; i < store.windows().size(); i++) {
      if (store.windows().get(i).name().equals(window)) {
        return i;
      }
    }
    throw QueryException.badParameter(
        "window",
        "not a known window: "
            + window
            + "; known: "
            + Stream.concat(store.windows().stream().map(w -> w.name()), Stream.of("total"))
                .collect(Collectors.joining(", ")));
  }

  private static Format format(String text) throws QueryException {
    return switch (text) {
      case "json" -> Format.JSON;
      case "hgrm" -> Format.HGRM;
      case "csv" -> Format.CSV;
      case "hlog" -> Format.HLOG;
      case "v2" -> Format.V2;
      default ->
          throw QueryException.badParameter(
              "format", "must be json, hgrm, csv, hlog or v2: " + text);
    };
  }

  private static boolean flag(String name, String text) throws QueryException {
    if (!text.equals("true") && !text.equals("false")) {
      throw QueryException.badParameter(name, "must be true or false: " + text);
    }
    return text.equals("true");
  }

  private static double ratio(String text) throws QueryException {
    if (text.matches("\\d{1,18}(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?")) {
      double ratio = Double.parseDouble(text);
      if (ratio >= MIN_RATIO && ratio <= MAX_RATIO) {
        return ratio;
      }
    }
    throw QueryException.badParameter(
        "ratio", "must be a number from 1e-9 to 1e18, such as 1000000 for ms of ns: " + text);
  }
}
