package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Expression;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.SelectorsWithin;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.window.WindowSpec;

/** Says where the intervals that were read are not quite what windows asked for. */
final class PastRemarks {
  /**
   * A window of four intervals of usual length has four of them, wherever it begins. Below that it
   * may have none.
   */
  private static final double LITTLE = 1 / 4.0;

  private final EvaluationScope scope;
  private final long startMillis;
  private final long endMillis;
  private long shortestMillis = Long.MAX_VALUE;
  private long beginMillis = Long.MAX_VALUE;

  private PastRemarks(EvaluationScope scope, long startMillis, long endMillis) {
    this.scope = scope;
    this.startMillis = startMillis;
    this.endMillis = endMillis;
  }

  /** Of an expression, evaluated from start to end. */
  static void add(
      Expression expression,
      long startMillis,
      long endMillis,
      EvaluationScope scope,
      Annotations annotations) {
    if (annotations.coverage().isNothing()) {
      return;
    }
    PastRemarks remarks = new PastRemarks(scope, startMillis, endMillis);
    for (Expression each : SelectorsWithin.withRanges(expression)) {
      remarks.look(each);
    }
    remarks.describe(annotations);
  }

  private void look(Expression selector) {
    if (selector instanceof RangeSelector range) {
      look(range.selector().shift(), range.rangeMillis());
    } else if (selector instanceof VectorSelector vector) {
      SeriesChoice choice = new SeriesChoice(vector);
      for (WindowSpec window : scope.query().store().windows()) {
        if (scope.edges().quantiles().stream()
            .anyMatch(each -> choice.acceptsGauge(GaugeNode.label(each), window))) {
          look(vector.shift(), window.span().toMillis());
        }
      }
    }
  }

  private void look(Shift shift, long lengthMillis) {
    shortestMillis = Math.min(shortestMillis, lengthMillis);
    long end = shift.apply(startMillis, startMillis, endMillis);
    beginMillis = Math.min(beginMillis, end - lengthMillis);
  }

  private void describe(Annotations annotations) {
    Coverage coverage = annotations.coverage();
    long keptSince =
        PastCounts.keptSinceMillis(scope.query().store().livingSeries(), scope.query().store());
    if (beginMillis < keptSince && coverage.fromMillis() - beginMillis > coverage.longestMillis()) {
      annotations.warn(
          "nothing is kept from before "
              + TimeRange.text(coverage.fromMillis())
              + ": nothing was recorded, or the history does not reach back so far");
    }
    if (coverage.longestMillis() > shortestMillis * LITTLE) {
      annotations.warn(
          "intervals of up to "
              + coverage.longestMillis() / 1000.0
              + " s are kept of this time and are not cut: a window of "
              + shortestMillis / 1000.0
              + " s holds, whole, those that end in it. All together they cover "
              + TimeRange.text(coverage.fromMillis())
              + " to "
              + TimeRange.text(coverage.toMillis()));
    }
  }
}
