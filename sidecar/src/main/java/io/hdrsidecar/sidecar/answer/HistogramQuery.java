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
import java.util.Locale;
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

  static final String DEFAULT_PERCENTILES = "50,75,90,95,99,99.9,99.99,99.999,100";

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
    @Nullable TimeRange range = TimeRange.inPlaceOfWindow(parameters, now);
    String window = parameters.get("window", "total");
    return new HistogramQuery(
        Selector.of("series", parameters.require("series")),
        windowIndex(window, store),
        window,
        range,
        Format.valueOf(parameters.require("format").toUpperCase(Locale.ROOT)),
        Percentiles.parse(parameters.get("percentiles", DEFAULT_PERCENTILES)),
        Boolean.parseBoolean(parameters.require("buckets")),
        Double.parseDouble(parameters.require("ratio")),
        parameters.wholeNumber("ticks"));
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
}
