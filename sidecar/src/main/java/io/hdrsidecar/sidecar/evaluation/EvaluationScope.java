package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import org.jspecify.annotations.Nullable;

/**
 * What an evaluation is about, and what it may cost.
 *
 * @param query store, limits and memory
 * @param edges which series Prometheus would see
 * @param nowMillis what has not happened yet is behind it
 * @param cache what past steps gave; null for none
 * @param effort what it has taken so far
 * @param readings what is open of files; closed by the evaluation
 */
public record EvaluationScope(
    QueryScope query,
    ExposedEdges edges,
    long nowMillis,
    @Nullable StepCache cache,
    EvaluationEffort effort,
    Readings readings) {
  /** Nothing was read for it yet. */
  public EvaluationScope(
      QueryScope query, ExposedEdges edges, long nowMillis, @Nullable StepCache cache) {
    this(query, edges, nowMillis, cache, new EvaluationEffort(), new Readings());
  }

  /** So many intervals more are read, whatever part of the answer they are for. */
  void spend(long intervals) throws QueryException {
    int most = query.limits().maxIntervals();
    if (effort.read(intervals) > most) {
      throw QueryException.tooCostly(
          "query",
          "more than "
              + most
              + " intervals would have to be read (query.max-intervals); ask for a shorter range or"
              + " fewer series");
    }
  }

  /** Ends an evaluation that nobody waits for, or that had its turn. */
  void requireWanted() throws QueryException {
    query.turn().look();
  }
}
