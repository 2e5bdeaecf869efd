package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code max_over_time} of the gauge of quantile 1, and {@code min_over_time} of that of quantile
 * 0: the largest, or smallest, value that was recorded. The gauge looks back by its window, so its
 * extreme over a range is that of the values of the range and of the window before it.
 */
final class ExtremeNode implements VectorNode {
  private final SeriesChoice choice;
  private final Shift shift;
  private final long rangeMillis;
  private final boolean isMax;
  private final EvaluationScope scope;
  private final List<GaugeReading> readings = new ArrayList<>();

  ExtremeNode(RangeSelector selector, boolean isMax, EvaluationScope scope) {
    this.choice = new SeriesChoice(selector.selector());
    this.shift = selector.selector().shift();
    this.rangeMillis = selector.rangeMillis();
    this.isMax = isMax;
    this.scope = scope;
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    for (WindowSpec window : scope.query().store().windows()) {
      List<Double> quantiles =
          scope.edges().quantiles().stream()
              .filter(each -> choice.acceptsGauge(GaugeNode.label(each), window))
              .toList();
      if (!quantiles.isEmpty()) {
        GaugeReading reading =
            new GaugeReading(choice, window, moments.shifted(shift), rangeMillis, scope);
        readings.add(reading);
        if (!reading.series().isEmpty()) {
          requireExtreme(quantiles);
        }
      }
    }
    requireGauges(moments);
  }

  private void requireExtreme(List<Double> quantiles) throws QueryException {
    double wanted = isMax ? 1 : 0;
    if (quantiles.stream().anyMatch(each -> each != wanted)) {
      throw QueryException.unsupported(
          isMax
              ? "max_over_time is answered of the recorded maximum only, so add quantile=\"1\" to"
                  + " the selector; for another quantile over a range take histogram_quantile of"
                  + " increase"
              : "min_over_time is answered of the recorded minimum only, so add quantile=\"0\" to"
                  + " the selector");
    }
  }

  private void requireGauges(Moments moments) throws QueryException {
    WindowReading all =
        new WindowReading(choice, new Windows(moments.shifted(shift), rangeMillis), scope);
    if (all.series().stream()
        .anyMatch(each -> each.forms().stream().anyMatch(ExposedForm::isCumulative))) {
      throw QueryException.unsupported(
          (isMax ? "max" : "min")
              + "_over_time is answered of window gauges only, such as checkout_window_seconds,"
              + " not of what grows since start");
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
          long extreme = isMax ? counts.max() : counts.min();
          elements.add(
              Element.number(
                  series
                      .labels(ExposedForm.WINDOW)
                      .withoutName()
                      .with(SeriesChoice.WINDOW, each.window().name())
                      .with(SeriesChoice.QUANTILE, isMax ? "1" : "0"),
                  series.unit().toBaseUnit((double) extreme),
                  false,
                  Sorts.of(series.key())));
        }
      }
    }
    return elements;
  }

  @Override
  public void close() {
    readings.clear();
  }
}
