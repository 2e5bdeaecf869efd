package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.query.TimeSteps;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Answers {@code GET /api/v1/heatmap}: how many values lie in each value bucket, step by step. The
 * buckets are the same in all steps; a step in which nothing was counted is absent.
 */
public final class HeatmapAnswers {
  private static final String BUCKETS = "buckets";
  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public HeatmapAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Answers one query. Any thread; time in proportion to the buckets of all intervals in the range,
   * which are read twice: for the least and greatest value, and for the counts.
   *
   * @throws QueryException when a parameter is wrong, nothing matches, or it would cost too much
   */
  public Answer answer(Parameters parameters, Instant now) throws QueryException {
    Selector selector = Selector.of("series", parameters.require("series"));
    TimeRange range = TimeRange.of(parameters, now);
    TimeSteps steps = TimeSteps.of(parameters, range, scope.limits());
    int buckets = parameters.wholeNumber(BUCKETS);
    steps.requireCells(BUCKETS, buckets, scope.limits());
    scope.claim().grow(2L * buckets * Long.BYTES); // the edges, and the counts of a step
    try (PastCounts past = scope.past("series", selector, range)) {
      return answer(past, steps, buckets);
    }
  }

  /** What {@link #answer} needs of series that are elsewhere. */
  public static NeededSeries needs(Parameters parameters, Instant now) throws QueryException {
    Selector selector = Selector.of("series", parameters.require("series"));
    return NeededSeries.of(List.of(selector.filter()), NeededSeries.Counts.TOTALS)
        .with(TimeRange.of(parameters, now));
  }

  private Answer answer(PastCounts past, TimeSteps steps, int buckets) throws QueryException {
    Distribution all = past.sum();
    JsonObject data =
        PastJson.head(past)
            .put("count", all.count())
            .put("stepSeconds", steps.stepMillis() / 1000.0);
    if (all.count() > 0) {
      ValueEdges edges = ValueEdges.between(all.min(), all.max(), buckets);
      JsonPart answered = json -> write(json, past, steps, edges);
      data.put("edges", edges.json()).put("steps", answered);
    } else {
      data.put("edges", new JsonArray()).put("steps", new JsonArray());
    }
    return Envelope.success(data, past::warnings, scope.claim());
  }

  private static void write(JsonText json, PastCounts past, TimeSteps steps, ValueEdges edges)
      throws IOException, QueryException {
    json.beginArray();
    for (Map.Entry<Long, List<PastInterval>> step : past.bySteps(steps).entrySet()) {
      Distribution counts = past.sum(step.getValue());
      if (counts.count() > 0) {
        json.beginObject();
        json.field("start", TimeRange.text(step.getKey()));
        json.number("count", counts.count());
        json.field("counts");
        json.array(edges.counts(counts));
        json.endObject();
      }
    }
    json.endArray();
  }
}
