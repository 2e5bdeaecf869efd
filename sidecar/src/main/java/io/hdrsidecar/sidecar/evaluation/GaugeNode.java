package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The window gauges of a selector, such as {@code checkout_window_seconds{quantile="0.99"}}. */
final class GaugeNode implements VectorNode {
  private final SeriesChoice choice;
  private final Shift shift;
  private final EvaluationScope scope;
  private final List<GaugeReading> readings = new ArrayList<>();

  GaugeNode(VectorSelector selector, EvaluationScope scope) {
    this.choice = new SeriesChoice(selector).ofGauges();
    this.shift = selector.shift();
    this.scope = scope;
  }

  /** As the label says it. */
  static String label(double quantile) {
    return quantile == 0 ? "0" : BigDecimal.valueOf(quantile).stripTrailingZeros().toPlainString();
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    SeriesStore store = scope.query().store();
    if (!store.past().isKept() && choice.select(PastSource.NOTHING, scope).isEmpty()) {
      return; // What does not ask for gauges needs no history.
    }
    for (WindowSpec window : store.windows()) {
      if (scope.edges().quantiles().stream()
          .anyMatch(each -> choice.acceptsGauge(label(each), window))) {
        readings.add(new GaugeReading(choice, window, moments.shifted(shift), 0, scope));
      }
    }
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    List<Element> elements = new ArrayList<>();
    for (GaugeReading each : readings) {
      each.moveTo(step, annotations);
      for (ChosenSeries series : each.series()) {
        HistogramValue counts = each.of(series);
        if (counts.count() > 0) {
          annotations.tellBoundsOf(counts);
          add(series, each.window(), counts, elements);
        }
      }
    }
    return elements;
  }

  private void add(
      ChosenSeries series, WindowSpec window, HistogramValue counts, List<Element> into) {
    MetricLabels labels =
        series.labels(ExposedForm.WINDOW).with(SeriesChoice.WINDOW, window.name());
    for (double quantile : scope.edges().quantiles()) {
      if (choice.acceptsGauge(label(quantile), window)) {
        into.add(
            Element.number(
                labels.with(SeriesChoice.QUANTILE, label(quantile)),
                counts.quantile(quantile),
                false,
                Sorts.of(series.key())));
      }
    }
  }

  @Override
  public void close() {
    readings.clear();
  }
}
