package io.hdrsidecar.sidecar.prometheus;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.Envelope;
import io.hdrsidecar.sidecar.answer.JsonPart;
import io.hdrsidecar.sidecar.evaluation.Annotations;
import io.hdrsidecar.sidecar.evaluation.EvaluatedResult;
import io.hdrsidecar.sidecar.evaluation.EvaluationScope;
import io.hdrsidecar.sidecar.evaluation.ExposedEdges;
import io.hdrsidecar.sidecar.evaluation.PromqlEvaluation;
import io.hdrsidecar.sidecar.evaluation.StepCache;
import io.hdrsidecar.sidecar.evaluation.StepRange;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Answers {@code /api/v1/query} and {@code /api/v1/query_range}. */
public final class EvaluatedAnswers {
  /** As Prometheus' {@code query.timeout}. */
  private static final long MOST_MILLIS = TimeUnit.MINUTES.toMillis(2);

  private final QueryScope scope;
  private final ExposedEdges edges;
  private final StepCache cache;

  /**
   * Answers one question.
   *
   * @param cache what past steps gave
   */
  public EvaluatedAnswers(QueryScope scope, ExposedEdges edges, StepCache cache) {
    this.cache = cache;
    this.scope = scope;
    this.edges = edges;
  }

  /**
   * When a question was asked, however often it is evaluated.
   *
   * @param now by the clock
   * @param nanos by {@link System#nanoTime}
   */
  public record AskedAt(Instant now, long nanos) {}

  /** Answers a query at one time, which is when it was asked unless it is given. */
  public Answer instant(FormParameters parameters, AskedAt asked) throws QueryException {
    long time = parameters.time("time", asked.now());
    EvaluationScope evaluation = scope(parameters, asked);
    return answer(parameters, evaluation, query -> query.at(time));
  }

  /** Answers a query over a range of time, in steps. */
  public Answer range(FormParameters parameters, AskedAt asked) throws QueryException {
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
    EvaluationScope evaluation = scope(parameters, asked);
    return answer(parameters, evaluation, query -> query.over(range));
  }

  private EvaluationScope scope(FormParameters parameters, AskedAt asked) throws QueryException {
    long millis = MOST_MILLIS;
    if (!parameters.get("timeout").isEmpty()) {
      millis = Math.min(millis, parameters.duration("timeout"));
    }
    long until = asked.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    return new EvaluationScope(scope, edges, asked.now().toEpochMilli(), until, cache);
  }

  /** One way to evaluate. */
  @FunctionalInterface
  private interface Way {
    EvaluatedResult evaluate(PromqlEvaluation query) throws PromqlException, QueryException;
  }

  private Answer answer(FormParameters parameters, EvaluationScope evaluation, Way way)
      throws QueryException {
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
