package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.Correction;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.Percentiles;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.SeriesJoin;
import io.hdrsidecar.sidecar.query.SeriesSelection;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /api/v1/histogram}: since start, in a window, or in a range of time.
 *
 * <p>All numbers are in the series' own unit. Count, sum, minimum and maximum are those of the
 * values (of the buckets, where only buckets were sent); a percentile is the highest value of the
 * bucket that reaches it, by HdrHistogram's rule, but not above the maximum.
 */
public final class HistogramAnswers {
  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public HistogramAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Answers one query. Any thread; takes time and memory in proportion to the buckets of all series
   * matched, in a range of time to those of all intervals.
   *
   * @param binary whether the caller takes V2 as bytes instead of base64 text
   * @throws QueryException when a parameter is wrong, nothing matches, or units differ
   */
  public Answer answer(Parameters parameters, boolean binary, Instant now) throws QueryException {
    HistogramQuery query = HistogramQuery.of(parameters, scope.store(), now);
    SeriesJoin join = join(query, now);
    Correction correction = Correction.of(parameters, join.selection(), scope);
    Distribution shown =
        correction == null ? join.distribution() : correction.of(join.distribution());
    if (query.format() == HistogramQuery.Format.JSON) {
      return json(query, join, shown, correction);
    }
    long highest = highestTrackableValue(query, join.selection());
    HistogramText.claim(query.format(), shown, highest, scope.claim());
    HistogramText text =
        new HistogramText(histogram(shown, highest), headers(join, correction), scope.claim());
    return switch (query.format()) {
      case HGRM -> text.percentiles(query, false);
      case CSV -> text.percentiles(query, true);
      case HLOG -> text.log(join.startMillis(), join.endMillis(), query.ratio());
      default -> text.v2(binary);
    };
  }

  /** What {@link #answer} needs of series that are elsewhere. */
  public static NeededSeries needs(Parameters parameters, QueryScope scope, Instant now)
      throws QueryException {
    HistogramQuery query = HistogramQuery.of(parameters, scope.store(), now);
    TimeRange range = query.range();
    boolean isWindow = range == null && query.windowIndex() != HistogramQuery.TOTAL;
    NeededSeries needs =
        NeededSeries.of(
            List.of(query.selector().filter()),
            isWindow ? NeededSeries.Counts.WINDOWS : NeededSeries.Counts.TOTALS);
    return range == null ? needs : needs.with(range);
  }

  private SeriesJoin join(HistogramQuery query, Instant now) throws QueryException {
    TimeRange range = query.range();
    if (range != null) {
      return SeriesJoin.ofRange("series", query.selector(), range, scope);
    }
    SeriesSelection selection = SeriesSelection.of("series", query.selector(), scope);
    return query.windowIndex() == HistogramQuery.TOTAL
        ? SeriesJoin.ofTotal(selection, scope)
        : SeriesJoin.ofWindow(selection, scope, query.windowIndex(), now);
  }

  private Answer json(
      HistogramQuery query,
      SeriesJoin join,
      Distribution distribution,
      @Nullable Correction correction)
      throws QueryException {
    PastCounts past = join.past();
    JsonObject data = new JsonObject().put("series", PastJson.names(join.selection()));
    if (past == null) {
      data.put("window", query.window());
    } else {
      data.put("range", PastJson.range(past.asked())).put("covered", PastJson.coverage(past));
    }
    boolean empty = distribution.count() == 0;
    data.put("unit", join.selection().unit().symbol())
        .put("corrected", correction == null ? null : PastJson.corrected(correction))
        .put("count", distribution.count())
        .put("sum", distribution.sum().toBigInteger())
        .put("sumIsExact", distribution.sumIsExact())
        .put("min", empty ? null : distribution.min())
        .put("minIsExact", distribution.minIsExact())
        .put("max", empty ? null : distribution.max())
        .put("maxIsExact", distribution.maxIsExact())
        .put("bound", Double.isInfinite(distribution.bound()) ? null : distribution.bound())
        .put("percentiles", percentiles(query, distribution));
    if (query.withBuckets()) {
      data.put("buckets", buckets(distribution));
    }
    return Envelope.success(data, () -> warnings(join, distribution), scope.claim());
  }

  private static List<String> warnings(SeriesJoin join, Distribution shown) {
    PastCounts past = join.past();
    return past == null ? shown.notes() : past.warnings();
  }

  private static JsonArray percentiles(HistogramQuery query, Distribution distribution) {
    JsonArray percentiles = new JsonArray();
    if (distribution.count() > 0) {
      for (BigDecimal percentile : query.percentiles()) {
        percentiles.add(
            new JsonObject()
                .put("percentile", Percentiles.plain(percentile))
                .put("value", Percentiles.valueAt(distribution, percentile))
                .put("lowest", distribution.leastAtPercentile(percentile.doubleValue())));
      }
    }
    return percentiles;
  }

  private static JsonPart buckets(Distribution distribution) {
    return json -> {
      json.beginArray();
      for (int i = 0; i < distribution.size(); i++) {
        json.beginObject();
        json.number("lowest", distribution.lowestAt(i));
        json.number("highest", distribution.highestAt(i));
        json.number("count", distribution.countAt(i));
        json.endObject();
      }
      json.endArray();
    };
  }

  /**
   * Only the percentile text states a range: that which was configured, as far as living series
   * know it. The other forms take no room for buckets that nothing was counted in.
   */
  private static long highestTrackableValue(HistogramQuery query, SeriesSelection selection) {
    return query.format() == HistogramQuery.Format.HGRM
        ? selection.series().stream().mapToLong(Series::highestTrackableValue).max().orElse(0)
        : 0;
  }

  private static Histogram histogram(Distribution distribution, long highestTrackableValue)
      throws QueryException {
    if (distribution.isUnbounded()) {
      throw QueryException.badParameter(
          "format",
          "no histogram of HdrHistogram can hold a bucket without an upper bound, in which there"
              + " are values whose maximum was not sent; ask for json");
    }
    try {
      return distribution.toHistogram(highestTrackableValue);
    } catch (ArithmeticException e) {
      throw QueryException.badParameter(
          "series", "the counts of all series matched add up to more than 2^63 - 1");
    }
  }

  private static List<Map.Entry<String, String>> headers(
      SeriesJoin join, @Nullable Correction correction) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    PastCounts past = join.past();
    if (correction != null) {
      headers.add(Map.entry("Hdr-Sidecar-Corrected", "expected_interval=" + correction.text()));
    }
    if (past != null) {
      String covered =
          past.intervals().isEmpty()
              ? "nothing"
              : TimeRange.text(join.startMillis()) + "/" + TimeRange.text(join.endMillis());
      headers.add(Map.entry("Hdr-Sidecar-Covered", covered));
      headers.add(
          Map.entry("Hdr-Sidecar-Resolution", past.covered().longestMillis() / 1000.0 + "s"));
    }
    for (String warning : warnings(join, join.distribution())) {
      headers.add(Map.entry("Hdr-Sidecar-Warning", headerText(warning)));
    }
    return headers;
  }

  /** As much of a text as a header can hold: ASCII that can be seen, and blanks. */
  private static String headerText(String text) {
    return text.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
