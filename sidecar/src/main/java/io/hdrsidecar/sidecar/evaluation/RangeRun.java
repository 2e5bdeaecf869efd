package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.LateIntervals;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One evaluation step by step. Steps that are past are taken from the cache, and put there. The
 * others are evaluated together, or, where there is no memory for all they read, in as many parts
 * as it takes: what a part has read is let go before the next. One thread.
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
  private final @Nullable CachedStep[] steps;

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
    this.steps = new CachedStep[times.length];
    boolean looksBack =
        SelectorsWithin.of(expression).stream().allMatch(each -> each.shift().looksBack());
    this.cache = looksBack ? scope.cache() : null;
    this.key = expression.toString();
  }

  void run() throws PromqlException, QueryException {
    new Planner(query, scope).vector(expression).close(); // Refused, even if all steps are known.
    lookUp();
    HeapClaim claim = scope.query().claim();
    long before = claim.bytes();
    int most = times.length;
    int added = 0;
    for (int next = firstUnknown(0); next < times.length; next = firstUnknown(next)) {
      int[] part = part(next, most);
      long spent = scope.spent().get();
      try {
        evaluate(part);
      } catch (HeapFullException e) {
        if (part.length == 1) {
          throw e;
        }
        most = (part.length + 1) / 2;
        scope.spent().set(spent);
      } finally {
        claim.resize(claim.bytes(), before + result.claimedBytes());
      }
      added = addUpTo(firstUnknown(next), added);
    }
    addUpTo(times.length, added);
  }

  private void lookUp() {
    StepCache known = cache;
    if (known != null) {
      known.refresh(scope.nowMillis());
      for (int i = 0; i < times.length; i++) {
        steps[i] = known.get(key, scope.edges(), times[i]);
      }
    }
  }

  private int firstUnknown(int from) {
    int first = from;
    while (first < times.length && steps[first] != null) {
      first++;
    }
    return first;
  }

  /** The next steps that are not known, at most so many. */
  private int[] part(int from, int most) {
    int[] found = new int[Math.min(most, times.length - from)];
    int size = 0;
    for (int i = from; i < times.length && size < found.length; i++) {
      if (steps[i] == null) {
        found[size++] = i;
      }
    }
    return Arrays.copyOf(found, size);
  }

  private void evaluate(int[] part) throws PromqlException, QueryException {
    long[] ofPart = new long[part.length];
    for (int i = 0; i < part.length; i++) {
      ofPart[i] = times[part[i]];
    }
    try (VectorNode node = new Planner(query, scope).vector(expression);
        LateIntervals.Watch late = scope.query().store().past().late().watch()) {
      node.prepare(new Moments(ofPart, range.startMillis(), range.endMillis()));
      for (int i = 0; i < part.length; i++) {
        scope.requireWanted();
        Annotations ofStep = new Annotations();
        CachedStep step =
            new CachedStep(ResultBuilder.samples(node.at(i, ofStep), scope), ofStep.coverage());
        annotations.addAll(ofStep);
        steps[part[i]] = step;
        StepCache known = cache;
        if (known != null && ofStep.isQuiet() && isSettled(ofPart[i], late)) {
          known.put(key, scope.edges(), ofPart[i], step);
        }
      }
    }
  }

  private boolean isSettled(long time, LateIntervals.Watch late) {
    return time <= scope.nowMillis() - LateIntervals.SETTLED_MILLIS && time < late.earliestEnd();
  }

  private int addUpTo(int end, int from) throws QueryException {
    for (int i = from; i < end; i++) {
      CachedStep step = steps[i];
      if (step != null) {
        annotations.cover(step.coverage());
        result.add(times[i], step.samples());
      }
    }
    return Math.max(from, end);
  }
}
