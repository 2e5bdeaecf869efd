package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.query.Correction;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.Percentiles;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.query.TimeSteps;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /api/v1/percentiles}: count, percentiles and maximum step by step. A step in
 * which nothing was counted is absent, not 0. Percentiles are those of the counts of all series
 * together. See {@link PastCounts#bySteps} for what belongs to a step.
 */
public final class PercentilesAnswers {
  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public PercentilesAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Answers one query. Any thread; time in proportion to the buckets of all intervals in the range,
   * memory to their number and to the buckets of one step.
   *
   * @throws QueryException when a parameter is wrong, nothing matches, or it would cost too much
   */
  public Answer answer(Parameters parameters, Instant now) throws QueryException {
    Selector selector = Selector.of("series", parameters.require("series"));
    TimeRange range = TimeRange.of(parameters, now);
    TimeSteps steps = TimeSteps.of(parameters, range, scope.limits());
    List<BigDecimal> percentiles =
        Percentiles.parse(parameters.get(Percentiles.PARAMETER, LiveQuery.DEFAULT_PERCENTILES));
    steps.requireCells(Percentiles.PARAMETER, percentiles.size(), scope.limits());
    try (PastCounts past = scope.past("series", selector, range)) {
      Correction correction = Correction.of(parameters, past.selection(), scope);
      return answer(past, steps, percentiles, correction);
    }
  }

  /** What {@link #answer} needs of series that are elsewhere. */
  public static NeededSeries needs(Parameters parameters, Instant now) throws QueryException {
    Selector selector = Selector.of("series", parameters.require("series"));
    return NeededSeries.of(List.of(selector.filter()), NeededSeries.Counts.TOTALS)
        .with(TimeRange.of(parameters, now));
  }

  private Answer answer(
      PastCounts past,
      TimeSteps steps,
      List<BigDecimal> percentiles,
      @Nullable Correction correction)
      throws QueryException {
    JsonPart answered = json -> write(json, past, steps, percentiles, correction);
    // How much was added back is known when the steps have been read.
    JsonPart corrected =
        json -> json.write(correction == null ? null : PastJson.corrected(correction));
    JsonObject data =
        PastJson.head(past)
            .put("stepSeconds", steps.stepMillis() / 1000.0)
            .put(
                "percentiles", new JsonArray(percentiles.stream().map(Percentiles::plain).toList()))
            .put("steps", answered)
            .put("corrected", corrected);
    return Envelope.success(data, past::warnings, scope.claim());
  }

  private static void write(
      JsonText json,
      PastCounts past,
      TimeSteps steps,
      List<BigDecimal> percentiles,
      @Nullable Correction correction)
      throws IOException, QueryException {
    json.beginArray();
    for (Map.Entry<Long, List<PastInterval>> step : past.bySteps(steps).entrySet()) {
      Distribution raw = past.sum(step.getValue());
      if (raw.count() > 0) {
        Distribution shown = correction == null ? raw : correction.of(raw);
        json.write(
            json(step.getKey(), shown, percentiles)
                .put("resolutionSeconds", past.coveredBySum().longestMillis() / 1000.0)
                .put("recordedSeconds", recordedSeconds(step.getValue())));
      }
    }
    json.endArray();
  }

  /** How long the intervals are together, those of all series. */
  static double recordedSeconds(List<PastInterval> intervals) {
    return intervals.stream().mapToLong(each -> each.endMillis() - each.startMillis()).sum()
        / 1000.0;
  }

  /** One step, without its times. */
  static JsonObject json(long start, Distribution counts, List<BigDecimal> percentiles) {
    JsonArray values = new JsonArray();
    percentiles.forEach(percentile -> values.add(Percentiles.valueAt(counts, percentile)));
    return new JsonObject()
        .put("start", TimeRange.text(start))
        .put("count", counts.count())
        .put("min", counts.min())
        .put("max", counts.max())
        .put("values", values);
  }
}
