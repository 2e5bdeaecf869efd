package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.function.UnaryOperator;

/**
 * Names and descriptions of the two metrics of a series' name.
 *
 * <p>Quantiles of a window are of no type Prometheus has: a summary would also promise a sum and a
 * count that only grow (and the protobuf format fills them in as 0), and on a gauge the label
 * {@code quantile} is refused by promtool. So they are untyped.
 *
 * @param cumulative name of the histograms
 * @param help of the histograms, as the client said it
 * @param window name of the quantiles
 * @param windowHelp of the quantiles
 * @param unit of the series
 */
record FamilyText(String cumulative, String help, String window, String windowHelp, Unit unit) {
  /** Of the family of a series, its metric names escaped so. */
  static FamilyText of(Series series, UnaryOperator<String> escaping) {
    String name = series.key().name();
    return new FamilyText(
        escaping.apply(series.metricNames().cumulative()),
        series.help().isEmpty() ? "Distribution of " + name + "." : series.help(),
        escaping.apply(series.metricNames().window()),
        "Quantiles of " + name + " in a sliding window; quantile 1 is the maximum.",
        series.unit());
  }
}
