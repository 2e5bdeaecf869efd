package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.LateIntervals;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One evaluation step by step. Steps that are past are taken from the cache, and put there. The
 * others are evaluated together, or, where there is no memory for all they read, in as many parts
 * as it takes: what a part has read is let go before the next. Where there is none for one step, it
 * and those behind it are evaluated with what takes less. One thread.
 */
final class RangeRun {
  private final String query;
  private final Expression expression;
  private final StepRange range;
  private final EvaluationScope scope;
  private final ResultBuilder result;
  private final Annotations annotations;
  private final @Nullable StepCache cache;
  private final String key;
  private final long[] times;

  /** The first that is not in the result yet. */
  private int next;

  RangeRun(
      String query,
      Expression expression,
      StepRange range,
      EvaluationScope scope,
      ResultBuilder result,
      Annotations annotations) {
    this.query = query;
    this.expression = expression;
    this.range = range;
    this.scope = scope;
    this.result = result;
    this.annotations = annotations;
    this.times = range.times();
    boolean looksBack =
        SelectorsWithin.of(expression).stream().allMatch(each -> each.shift().looksBack());
    this.cache = looksBack ? scope.cache() : null;
    this.key = expression.toString();
  }

  void run() throws PromqlException, QueryException {
    new Planner(query, scope).vector(expression).close(); // Refused, even if all steps are known.
    StepCache known = cache;
    if (known != null) {
      known.refresh(scope.nowMillis());
    }
    HeapClaim claim = scope.query().claim();
    claim.grow(Long.BYTES * (long) times.length);
    long before = claim.bytes();
    int most = times.length;
    while (next < times.length) {
      PastResult step = known(next);
      if (step != null) {
        add(step);
        continue;
      }
      int first = next;
      long spent = scope.effort().intervals();
      int end = endOfUnknown(Math.min(times.length, first + most));
      try {
        evaluate(end);
      } catch (HeapFullException e) {
        most = (end - first + 1) / 2;
        if (end - first == 1) {
          if (!scope.effort().becomeFrugal(e)) {
            throw e;
          }
          most = times.length;
        }
        scope.effort().beginAgain(spent);
      } finally {
        scope.readings().close();
        scope.effort().letGoOfSums();
        claim.resize(claim.bytes(), before + result.claimedBytes());
      }
    }
  }

  private @Nullable PastResult known(int step) {
    StepCache known = cache;
    return known == null ? null : known.get(key, scope.edges(), times[step]);
  }

  /** The first step behind the next that is known, or the limit. */
  private int endOfUnknown(int limit) {
    int end = next + 1;
    while (end < limit && known(end) == null) {
      end++;
    }
    return end;
  }

  /** Evaluates the steps up to there; each is in the result before the next is evaluated. */
  private void evaluate(int end) throws PromqlException, QueryException {
    long[] part = Arrays.copyOfRange(times, next, end);
    try (VectorNode node = new Planner(query, scope).vector(expression);
        LateIntervals.Watch late = scope.query().store().past().late().watch(settledTo())) {
      node.prepare(new Moments(part, range.startMillis(), range.endMillis()));
      for (int i = 0; i < part.length; i++) {
        scope.requireWanted();
        Annotations ofStep = new Annotations();
        List<Element> elements = node.at(i, ofStep);
        List<Sample> samples = result.samples(elements);
        PastResult step = new PastResult(samples, ofStep.coverage(), ofStep.bounds());
        add(step);
        annotations.addAll(ofStep);
        StepCache known = cache;
        if (known != null && ofStep.isQuiet() && part[i] <= settledTo()) {
          known.put(key, scope.edges(), part[i], step, late);
        }
      }
    }
  }

  private void add(PastResult step) throws QueryException {
    result.add(times[next], step.samples());
    annotations.cover(step.coverage());
    annotations.tell(step.bounds());
    next++;
  }

  private long settledTo() {
    return scope.nowMillis() - LateIntervals.SETTLED_MILLIS;
  }
}
