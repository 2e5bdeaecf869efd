package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.FloatText;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which series there are, as Prometheus would see them, in a range of time. */
public final class SeriesCatalog {
  private static final VectorSelector ALL =
      new VectorSelector(
          "",
          List.of(new Condition(Condition.NAME, Condition.Comparison.MATCHES, ".+", 0)),
          Shift.NONE,
          0);

  /** Takes them one by one. */
  @FunctionalInterface
  public interface Visitor {
    /** Whether to go on. */
    boolean visit(MetricLabels labels) throws IOException, QueryException;
  }

  /** Takes exemplars, series by series. */
  @FunctionalInterface
  public interface ExemplarVisitor {
    /** Those of one series, none too many. */
    void visit(MetricLabels labels, List<Exemplar> exemplars, double perBaseUnit)
        throws IOException, QueryException;
  }

  private final EvaluationScope scope;
  private final List<VectorSelector> selectors;
  private final long startMillis;
  private final long endMillis;

  /**
   * A catalog.
   *
   * @param selectors of which one at least must choose a series; none for all
   * @param endMillis included
   */
  public SeriesCatalog(
      EvaluationScope scope, List<VectorSelector> selectors, long startMillis, long endMillis) {
    this.scope = scope;
    this.selectors = selectors.isEmpty() ? List.of(ALL) : List.copyOf(selectors);
    this.startMillis = startMillis;
    this.endMillis = endMillis;
  }

  /** Visits each, once. */
  public void forEach(Visitor visitor) throws IOException, QueryException {
    Set<MetricLabels> seen = new HashSet<>();
    try (PastReading reading =
        scope
            .query()
            .store()
            .past()
            .source()
            .open(startMillis - SeriesChoice.LOOKBACK_MILLIS, endMillis + 1)) {
      for (VectorSelector selector : selectors) {
        SeriesChoice choice = new SeriesChoice(selector);
        Visitor once =
            labels -> {
              if (selectors.size() > 1) {
                if (!seen.add(labels)) {
                  return true;
                }
                scope.query().claim().grow(labels.cost());
              }
              return visitor.visit(labels);
            };
        for (ChosenSeries each : choice.select(reading, scope)) {
          scope.requireWanted();
          if (each.isPresent(startMillis - 1, endMillis) && !visit(choice, each, once)) {
            return;
          }
        }
      }
    }
  }

  private boolean visit(SeriesChoice choice, ChosenSeries series, Visitor visitor)
      throws IOException, QueryException {
    for (ExposedForm form : series.forms()) {
      MetricLabels labels = series.labels(form);
      boolean goOn =
          switch (form) {
            case BUCKET -> visitBuckets(choice, series, labels, visitor);
            case WINDOW -> visitGauges(choice, labels, visitor);
            default -> visitor.visit(labels);
          };
      if (!goOn) {
        return false;
      }
    }
    return true;
  }

  private boolean visitBuckets(
      SeriesChoice choice, ChosenSeries series, MetricLabels labels, Visitor visitor)
      throws IOException, QueryException {
    for (double edge : choice.edges(series.unit(), scope.edges())) {
      if (!visitor.visit(labels.with(MetricLabels.LE, FloatText.ofEdge(edge)))) {
        return false;
      }
    }
    return true;
  }

  private boolean visitGauges(SeriesChoice choice, MetricLabels labels, Visitor visitor)
      throws IOException, QueryException {
    for (WindowSpec window : scope.query().store().windows()) {
      for (double quantile : scope.edges().quantiles()) {
        String label = GaugeNode.label(quantile);
        if (choice.acceptsGauge(label, window)
            && !visitor.visit(
                labels
                    .with(SeriesChoice.WINDOW, window.name())
                    .with(SeriesChoice.QUANTILE, label))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Visits the exemplars of living series that were recorded in the range. */
  public void forEachExemplar(ExemplarVisitor visitor) throws IOException, QueryException {
    Set<Object> seen = new HashSet<>();
    try (PastReading reading =
        scope.query().store().past().source().open(startMillis, endMillis + 1)) {
      for (VectorSelector selector : selectors) {
        for (ChosenSeries each : new SeriesChoice(selector).select(reading, scope)) {
          Series living = each.living();
          if (living != null && seen.add(each.key())) {
            List<Exemplar> exemplars =
                living.exemplars().stream()
                    .filter(one -> one.millis() >= startMillis && one.millis() <= endMillis)
                    .toList();
            if (!exemplars.isEmpty()) {
              ExposedForm form = each.forms().iterator().next();
              visitor.visit(each.labels(form), exemplars, each.unit().perBaseUnit());
            }
          }
        }
      }
    }
  }
}
