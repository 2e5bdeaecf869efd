package io.hdrsidecar.sidecar.prometheus;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.answer.JsonPart;
import io.hdrsidecar.sidecar.evaluation.Annotations;
import io.hdrsidecar.sidecar.evaluation.EvaluatedResult;
import io.hdrsidecar.sidecar.evaluation.EvaluationScope;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.PromqlEvaluation;
import io.hdrsidecar.sidecar.evaluation.QueryNeeds;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.evaluation.StepRange;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers {@code /api/v1/query} and {@code /api/v1/query_range}. */
public final class EvaluatedAnswers {
  private final QueryScope scope;
  private final ExposedEdges edges;
  private final StepCache cache;

  /**
   * Answers one query.
   *
   * @param cache what past steps gave
   */
  public EvaluatedAnswers(QueryScope scope, ExposedEdges edges, StepCache cache) {
    this.cache = cache;
    this.scope = scope;
    this.edges = edges;
  }

  /**
   * Answers a query at one time.
   *
   * @param now when it was asked, which is that time unless another is given
   */
  public Answer instant(FormParameters parameters, Instant now) throws QueryException {
    long time = parameters.time("time", now);
    return answer(parameters, now, query -> query.at(time));
  }

  /**
   * Answers a query over a range of time, in steps.
   *
   * @param now when it was asked
   */
  public Answer range(FormParameters parameters, Instant now) throws QueryException {
    long start = parameters.time("start");
    long end = parameters.time("end");
    if (end < start) {
      throw FormParameters.invalid("end", "end timestamp must not be before start time");
    }
    long step = parameters.duration("step");
    if (step <= 0) {
      throw FormParameters.invalid(
          "step",
          "zero or negative query resolution step widths are not accepted. Try a positive integer");
    }
    StepRange range = new StepRange(start, end, step).within(scope.limits().maxSteps());
    return answer(parameters, now, query -> query.over(range));
  }

  /**
   * What {@link #instant} needs of series that are elsewhere.
   *
   * @param scope the store at hand, which has the windows of all
   */
  public static NeededSeries instantNeeds(FormParameters parameters, Instant now, QueryScope scope)
      throws QueryException {
    long time = parameters.time("time", now);
    return needs(parameters, time, time, scope);
  }

  /** The same of {@link #range}. */
  public static NeededSeries rangeNeeds(FormParameters parameters, QueryScope scope)
      throws QueryException {
    return needs(parameters, parameters.time("start"), parameters.time("end"), scope);
  }

  private static NeededSeries needs(
      FormParameters parameters, long start, long end, QueryScope scope) throws QueryException {
    try {
      return QueryNeeds.of(parameters.get("query"), start, end, scope);
    } catch (PromqlException e) {
      throw refusal(e);
    }
  }

  /** One way to evaluate. */
  @FunctionalInterface
  private interface Way {
    EvaluatedResult evaluate(PromqlEvaluation query) throws PromqlException, QueryException;
  }

  private Answer answer(FormParameters parameters, Instant now, Way way) throws QueryException {
    EvaluationScope evaluation = new EvaluationScope(scope, edges, now.toEpochMilli(), cache);
    try {
      EvaluatedResult result =
          way.evaluate(PromqlEvaluation.of(parameters.get("query"), evaluation));
      Annotations annotations = result.annotations();
      JsonPart data = json -> ResultJson.write(json, result);
      Answer answer =
          Envelope.success(data, annotations::warnings, annotations::infos, scope.claim());
      return new Answer(answer.contentType(), answer.blocks(), headers(annotations));
    } catch (PromqlException e) {
      throw refusal(e);
    }
  }

  /** As in other answers about the past. */
  private static List<Map.Entry<String, String>> headers(Annotations annotations) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    if (!annotations.covered().isEmpty()) {
      headers.add(Map.entry("Hdr-Sidecar-Covered", annotations.covered()));
      headers.add(Map.entry("Hdr-Sidecar-Resolution", annotations.longestMillis() / 1000.0 + "s"));
    }
    return headers;
  }

  static QueryException refusal(PromqlException e) {
    return e.isSyntax()
        ? FormParameters.invalid("query", e.message())
        : QueryException.unsupported(e.message());
  }
}
