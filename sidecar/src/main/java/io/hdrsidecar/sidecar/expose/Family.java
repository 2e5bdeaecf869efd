package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The two metrics of all series of one name, filled anew by each scrape. */
final class Family {
  private final MetricMetadata cumulative;
  private final MetricMetadata window;
  private final List<HistogramDataPointSnapshot> histograms = new ArrayList<>();
  private final List<UnknownDataPointSnapshot> quantiles = new ArrayList<>();

  Family(Series series) {
    String name = series.key().name();
    String baseUnit = series.unit().baseUnit();
    Unit unit = baseUnit.isEmpty() ? null : new Unit(baseUnit);
    String help = series.help().isEmpty() ? "Distribution of " + name + "." : series.help();
    cumulative = new MetricMetadata(series.metricNames().cumulative(), help, unit);
    window =
        new MetricMetadata(
            series.metricNames().window(),
            "Quantiles of " + name + " in a sliding window; quantile 1 is the maximum.",
            unit);
  }

  void clear() {
    histograms.clear();
    quantiles.clear();
  }

  boolean isEmpty() {
    return histograms.isEmpty();
  }

  void add(HistogramDataPointSnapshot histogram) {
    histograms.add(histogram);
  }

  void add(UnknownDataPointSnapshot quantile) {
    quantiles.add(quantile);
  }

  /** Whether a metric of this family has one of these names. */
  boolean hasNameIn(Set<String> names) {
    return names.contains(cumulative.getPrometheusName())
        || names.contains(window.getPrometheusName());
  }

  /**
   * The metrics filled so far.
   *
   * <p>Quantiles of a window are of no type Prometheus has: a summary would also promise a sum and
   * a count that only grow (and the protobuf format fills them in as 0), and on a gauge the label
   * {@code quantile} is refused by promtool. So they are untyped.
   */
  void appendTo(List<MetricSnapshot> snapshots) {
    snapshots.add(new HistogramSnapshot(cumulative, histograms));
    if (!quantiles.isEmpty()) {
      snapshots.add(new UnknownSnapshot(window, quantiles));
    }
  }
}
