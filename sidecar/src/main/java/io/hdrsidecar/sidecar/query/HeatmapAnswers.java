package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.merge.Distribution;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Answers {@code GET /api/v1/heatmap}: how many values lie in each value bucket, step by step. The
 * buckets are the same in all steps; a step in which nothing was counted is absent.
 */
public final class HeatmapAnswers {
  private static final String BUCKETS = "buckets";
  private static final List<String> KNOWN = List.of("series", "start", "end", "step", BUCKETS);

  private final QueryScope scope;

  /** Answers about the series of this scope. */
  public HeatmapAnswers(QueryScope scope) {
    this.scope = scope;
  }

  /**
   * Answers one query. Any thread; time in proportion to the buckets of all intervals in the range,
   * which are read twice: for the least and greatest value, and for the counts.
   *
   * @throws ApiException when a parameter is wrong, nothing matches, or it would cost too much
   */
  public Answer answer(Parameters parameters, Instant now) throws ApiException {
    parameters.requireOnly(KNOWN, "");
    Selector selector = Selector.of("series", parameters.require("series"));
    TimeRange range = TimeRange.of(parameters, now);
    TimeSteps steps = TimeSteps.of(parameters, range, scope.limits());
    int buckets = parameters.wholeNumber(BUCKETS, 50, 1, 999_999);
    steps.requireCells(BUCKETS, buckets, scope.limits());
    try (PastCounts past = scope.past("series", selector, range)) {
      return answer(past, steps, buckets);
    }
  }

  private static Answer answer(PastCounts past, TimeSteps steps, int buckets) throws ApiException {
    Distribution all = past.sum();
    JsonArray edges = new JsonArray();
    JsonArray answered = new JsonArray();
    if (all.count() > 0) {
      ValueEdges byValue = ValueEdges.between(all.min(), all.max(), buckets);
      edges = byValue.json();
      for (Map.Entry<Long, List<PastInterval>> step : past.bySteps(steps).entrySet()) {
        Distribution counts = past.sum(step.getValue());
        if (counts.count() > 0) {
          answered.add(json(step.getKey(), counts, byValue));
        }
      }
    }
    JsonObject data =
        past.head()
            .put("count", all.count())
            .put("stepSeconds", steps.stepMillis() / 1000.0)
            .put("edges", edges)
            .put("steps", answered);
    return Envelope.success(data, past.warnings());
  }

  private static JsonObject json(long start, Distribution counts, ValueEdges byValue) {
    JsonArray inBuckets = new JsonArray();
    Arrays.stream(byValue.counts(counts)).forEach(inBuckets::add);
    return new JsonObject()
        .put("start", TimeRange.text(start))
        .put("count", counts.count())
        .put("counts", inBuckets);
  }
}
